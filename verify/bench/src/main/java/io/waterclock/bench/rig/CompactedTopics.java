package io.waterclock.bench.rig;

import static java.util.stream.Collectors.toMap;

import io.waterclock.bench.run.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** Measures the bytes of a broker's compacted topics. */
public final class CompactedTopics implements AutoCloseable {
  /** The least that brokers take. */
  private static final int NEWEST_BYTES = 1 << 20;

  /** So that what can be compacted is compacted while one waits. */
  public static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.of(
              TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, "0",
              TopicConfig.DELETE_RETENTION_MS_CONFIG, "1000",
              TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(NEWEST_BYTES),
              TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.001",
              TopicConfig.FILE_DELETE_DELAY_MS_CONFIG, "1000"));

  private static final Duration BOUND = Duration.ofMinutes(10);
  private static final Duration REST = Duration.ofSeconds(45);
  private static final long GROWTH_AT_REST = 100_000;

  private final Admin admin;
  private final Set<ConfigResource> topics;

  private CompactedTopics(Admin admin, Set<ConfigResource> topics) {
    this.admin = admin;
    this.topics = topics;
  }

  /** The topics of the scheduler and of Kafka Streams, with changelogs. */
  public static CompactedTopics of(Rig rig) {
    Admin admin = rig.admin();
    List<ConfigResource> all =
        get(admin.listTopics().names()).stream().map(CompactedTopics::topic).toList();
    Map<ConfigResource, Config> compacted = new HashMap<>(get(admin.describeConfigs(all).all()));
    compacted
        .values()
        .removeIf(
            config ->
                !config
                    .get(TopicConfig.CLEANUP_POLICY_CONFIG)
                    .value()
                    .contains(TopicConfig.CLEANUP_POLICY_COMPACT));
    return new CompactedTopics(admin, compacted.keySet());
  }

  /** Sets {@link #SETTINGS}; the scheduler looks at settings only when it starts. */
  public void compactSoon() {
    List<AlterConfigOp> ops =
        SETTINGS.entrySet().stream()
            .map(
                setting ->
                    new AlterConfigOp(
                        new ConfigEntry(setting.getKey(), setting.getValue()),
                        AlterConfigOp.OpType.SET))
            .toList();
    get(
        admin
            .incrementalAlterConfigs(
                topics.stream().collect(toMap(Function.identity(), topic -> ops)))
            .all());
  }

  public long bytes() {
    return replicas().mapToLong(ReplicaInfo::size).sum();
  }

  /** The most that the newest segments hold, which are never compacted. */
  public long newestBytes() {
    return replicas().count() * NEWEST_BYTES;
  }

  private Stream<ReplicaInfo> replicas() {
    List<Integer> brokers =
        get(admin.describeCluster().nodes()).stream().map(node -> node.id()).toList();
    return get(admin.describeLogDirs(brokers).allDescriptions()).values().stream()
        .flatMap(dirs -> dirs.values().stream())
        .flatMap(dir -> dir.replicaInfos().entrySet().stream())
        .filter(replica -> topics.contains(topic(replica.getKey().topic())))
        .map(Map.Entry::getValue);
  }

  /** Returns when nothing has become less for a while. */
  public void awaitRest() {
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    AtomicLong sinceNanos = new AtomicLong(System.nanoTime());
    Await.until(
        "compaction has come to rest",
        BOUND,
        Duration.ofSeconds(2),
        () -> {
          long bytes = bytes();
          if (bytes < least.get() - GROWTH_AT_REST) {
            least.set(bytes);
            sinceNanos.set(System.nanoTime());
          }
          return System.nanoTime() - sinceNanos.get() > REST.toNanos();
        });
  }

  private static ConfigResource topic(String name) {
    return new ConfigResource(ConfigResource.Type.TOPIC, name);
  }

  private static <T> T get(KafkaFuture<T> future) {
    return Await.answer("its topics", future);
  }

  @Override
  public void close() {
    admin.close();
  }
}
