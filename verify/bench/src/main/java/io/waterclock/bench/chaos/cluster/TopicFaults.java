package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.run.Await;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** What a broker's cleaning does to topics, in seconds instead of days. */
public final class TopicFaults implements AutoCloseable {
  private static final Map<String, String> EAGER =
      Map.of(
          TopicConfig.SEGMENT_MS_CONFIG, "1000",
          TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.001",
          TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, "1000");

  private final Admin admin;
  private final String group;

  /**
   * @param group the scheduler's
   */
  public TopicFaults(String bootstrapServers, String group) {
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    this.group = group;
  }

  /**
   * Removes from topics what the scheduler has read and committed, as retention may.
   *
   * @param read the offsets that others have read up to, exclusive; nothing behind them is removed
   */
  public void removeRead(Collection<String> topics, Map<TopicPartition, Long> read) {
    Map<TopicPartition, RecordsToDelete> removals = new HashMap<>();
    Await.answer("offsets", admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
        .forEach(
            (partition, committed) -> {
              long before = Math.min(committed.offset(), read.getOrDefault(partition, 0L));
              if (topics.contains(partition.topic()) && before > 0) {
                removals.put(partition, RecordsToDelete.beforeOffset(before));
              }
            });
    Await.answer("removing records", admin.deleteRecords(removals).all());
  }

  /** Gives a topic one more partition. */
  public void addPartition(String topic) {
    int partitions =
        Await.answer("a topic", admin.describeTopics(List.of(topic)).allTopicNames())
            .values()
            .iterator()
            .next()
            .partitions()
            .size();
    Await.answer(
        "a partition",
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions + 1))).all());
  }

  /** Has the brokers compact every changelog all the time. */
  public void compactEagerly() {
    alter(AlterConfigOp.OpType.SET);
  }

  public void compactAsUsual() {
    alter(AlterConfigOp.OpType.DELETE);
  }

  private void alter(AlterConfigOp.OpType operation) {
    List<AlterConfigOp> changes =
        EAGER.entrySet().stream()
            .map(one -> new AlterConfigOp(new ConfigEntry(one.getKey(), one.getValue()), operation))
            .toList();
    Map<ConfigResource, Collection<AlterConfigOp>> all =
        Await.answer("topics", admin.listTopics().names()).stream()
            .filter(name -> name.endsWith("-changelog"))
            .collect(
                Collectors.toMap(
                    name -> new ConfigResource(ConfigResource.Type.TOPIC, name), name -> changes));
    Await.answer("settings of changelogs", admin.incrementalAlterConfigs(all).all());
  }

  /** The ends of a topic's partitions as a read_committed reader sees them. */
  public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> latest =
        partitions.stream().collect(Collectors.toMap(one -> one, one -> OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    Await.answer(
            "ends",
            admin.listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all())
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  @Override
  public void close() {
    admin.close();
  }
}
