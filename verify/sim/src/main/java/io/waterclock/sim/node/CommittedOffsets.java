package io.waterclock.sim.node;

import io.waterclock.runtime.clients.OtherPartitions;
import io.waterclock.sim.broker.Group;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** What the brokers of the model say of how far the schedulers have read; at once. */
record CommittedOffsets(TaskEnvironment environment) implements OtherPartitions.Brokers {
  @Override
  public CompletableFuture<Map<TopicPartition, Long>> ends(List<TopicPartition> partitions) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (TopicPartition partition : partitions) {
      PartitionLog log =
          environment.broker().log(new Place(partition.topic(), partition.partition()));
      long end = log.highWatermark() == log.start() ? 0 : log.highWatermark();
      ends.put(partition, environment.fault().at(Edge.OTHER_END, end));
    }
    return CompletableFuture.completedFuture(ends);
  }

  @Override
  public CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> committed() {
    Group group = environment.broker().group(TaskEnvironment.GROUP);
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    for (String topic : environment.inputsOfClients()) {
      for (int p = 0; p < environment.settings().channels().partitions(); p++) {
        TopicPartition partition = new TopicPartition(topic, p);
        group
            .offset(new Place(topic, p))
            .ifPresent(offset -> committed.put(partition, new OffsetAndMetadata(offset)));
      }
    }
    return CompletableFuture.completedFuture(committed);
  }
}
