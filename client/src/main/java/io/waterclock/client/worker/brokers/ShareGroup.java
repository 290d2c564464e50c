package io.waterclock.client.worker.brokers;

import io.waterclock.client.UnavailableException;
import io.waterclock.client.WaterclockException;
import io.waterclock.schemas.brokers.RootCause;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigResource;

/**
 * What a share group needs: kafka-clients 4.2, brokers with share groups, and two settings of the
 * group, which the brokers keep. This class loads with every version of kafka-clients.
 */
public final class ShareGroup {
  private static final String FEATURE = "share.version";
  private static final int[] LEAST = {4, 2};

  /** Settings of the group, not of its members; without the first, aborted fires would run. */
  private static final ConfigEntry ISOLATION =
      new ConfigEntry("share.isolation.level", "read_committed");

  private static final String RESET = "share.auto.offset.reset";

  private ShareGroup() {}

  /**
   * @param version of kafka-clients
   * @throws IllegalArgumentException if it is older than 4.2
   */
  public static void checkClient(String version) {
    String[] parts = version.split("[.-]", 3);
    int major = Integer.parseInt(parts[0]);
    if (major < LEAST[0] || (major == LEAST[0] && Integer.parseInt(parts[1]) < LEAST[1])) {
      throw new IllegalArgumentException(
          ("a worker without order needs share groups of kafka-clients 4.2 or later, and the class"
                  + " path has %s: leave unordered() out, or update kafka-clients")
              .formatted(version));
    }
  }

  /**
   * Checks the brokers, and sets what the group lacks.
   *
   * @param reset where a new group begins: {@code earliest} or {@code latest}
   * @param admin the settings of the client that asks
   * @param address of the brokers, for messages
   * @throws WaterclockException if the brokers have no share groups, or refuse the settings
   */
  public static void prepare(
      String groupId, String reset, Map<String, Object> admin, String address)
      throws InterruptedException {
    ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, groupId);
    try (Admin client = Admin.create(admin)) {
      FinalizedVersionRange found =
          client.describeFeatures().featureMetadata().get().finalizedFeatures().get(FEATURE);
      if (found == null || found.maxVersionLevel() < 1) {
        throw new WaterclockException(
            ("the brokers at %s have no share groups, which unordered() needs: use Kafka 4.2 or"
                    + " later, and enable them with kafka-features.sh upgrade --feature"
                    + " share.version=1")
                .formatted(address));
      }
      List<AlterConfigOp> changes =
          Stream.of(ISOLATION, new ConfigEntry(RESET, reset))
              .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
              .toList();
      client.incrementalAlterConfigs(Map.of(group, changes)).all().get();
    } catch (ExecutionException e) {
      throw new UnavailableException(
          ("the share group %s cannot be prepared at %s: %s. The worker needs the right to alter"
                  + " the configuration of the group")
              .formatted(groupId, address, RootCause.of(e)),
          e);
    }
  }

  /** The settings of a member; brokers decide about offsets, isolation and heartbeats. */
  public static Map<String, Object> member(Map<String, Object> consumer) {
    Map<String, Object> settings = new HashMap<>(consumer);
    settings
        .keySet()
        .removeAll(
            List.of(
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG));
    settings.put("share.acknowledgement.mode", "explicit");
    settings.put("share.acquire.mode", "record_limit");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    return settings;
  }
}
