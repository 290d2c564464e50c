package io.waterclock.it;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.PolicyViolationException;

/** Does to a topic of one partition what an operator and time can do to it. */
final class SchedulesTopic implements AutoCloseable {
  private final Tenant tenant;
  private final Admin admin;
  private final String topic;
  private final ConfigResource resource;

  SchedulesTopic(Tenant tenant) {
    this(tenant, tenant.topics().schedules());
  }

  /**
   * @param topic one with the settings of the schedules topic
   */
  SchedulesTopic(Tenant tenant, String topic) {
    this.tenant = tenant;
    this.admin = tenant.admin();
    this.topic = topic;
    this.resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  /** Lets the cleaner take everything but the last batch, at once. */
  void compactQuickly() throws ExecutionException, InterruptedException {
    alter(
        Map.of(
            "min.compaction.lag.ms",
            "0",
            "segment.ms",
            "1",
            "min.cleanable.dirty.ratio",
            "0.0001"));
  }

  /** As above, and lets the cleaner take tombstones when it meets them again. */
  void forgetTombstonesQuickly() throws ExecutionException, InterruptedException {
    compactQuickly();
    alter(Map.of("delete.retention.ms", "0"));
  }

  /** Back to a setting with which tombstones stay. */
  void keepTombstones(String ms) throws ExecutionException, InterruptedException {
    restoreSettings();
    alter(Map.of("delete.retention.ms", ms));
  }

  /** Back to what the scheduler insists on. */
  void restoreSettings() throws ExecutionException, InterruptedException {
    alter(
        Map.of(
            "cleanup.policy",
            "compact",
            "min.compaction.lag.ms",
            "604800000",
            "segment.ms",
            "604800000",
            "min.cleanable.dirty.ratio",
            "0.5"));
  }

  /** Deletes every record. */
  void truncate() throws ExecutionException, InterruptedException {
    alter(Map.of("cleanup.policy", "compact,delete"));
    TopicPartition partition = new TopicPartition(topic, 0);
    long end =
        admin
            .listOffsets(Map.of(partition, OffsetSpec.latest()))
            .partitionResult(partition)
            .get()
            .offset();
    await().atMost(Duration.ofMinutes(1)).until(() -> isDeletedBefore(end, partition));
    restoreSettings();
  }

  /**
   * @return false while the broker has not applied the cleanup policy that allows it
   */
  private boolean isDeletedBefore(long end, TopicPartition partition) throws InterruptedException {
    try {
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(end))).all().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof PolicyViolationException) {
        return false;
      }
      throw new IllegalStateException(e);
    }
  }

  /** How many records with a key the log holds, aborted ones too. */
  long count(String key) {
    try (TopicReader<byte[]> reader = TopicReader.uncommitted(tenant.bootstrapServers(), topic)) {
      return reader.toEnd().stream()
          .filter(entry -> entry.key().stream().anyMatch(key::equals))
          .count();
    }
  }

  private void alter(Map<String, String> settings) throws ExecutionException, InterruptedException {
    List<AlterConfigOp> operations = new ArrayList<>();
    settings.forEach(
        (name, value) ->
            operations.add(
                new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    changes.put(resource, operations);
    admin.incrementalAlterConfigs(changes).all().get();
  }

  @Override
  public void close() {
    admin.close();
  }
}
