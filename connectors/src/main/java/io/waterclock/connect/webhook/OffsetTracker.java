package io.waterclock.connect.webhook;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Tracks unfinished records, and so how far the task may commit the offsets of their partitions.
 * Thread-safe.
 */
final class OffsetTracker {
  private final Map<TopicPartition, TreeSet<Long>> underWay = new HashMap<>();

  synchronized void begin(TopicPartition partition, long offset) {
    underWay.computeIfAbsent(partition, p -> new TreeSet<>()).add(offset);
  }

  synchronized void done(TopicPartition partition, long offset) {
    TreeSet<Long> offsets = underWay.get(partition);
    if (offsets != null) {
      offsets.remove(offset);
      if (offsets.isEmpty()) {
        underWay.remove(partition);
      }
    }
  }

  synchronized void forget(Collection<TopicPartition> partitions) {
    partitions.forEach(underWay::remove);
  }

  /**
   * @param read the offsets up to which the task has read the partitions, exclusive
   * @return the same offsets; for a partition with unfinished records, the offset of the first one
   */
  synchronized Map<TopicPartition, OffsetAndMetadata> committable(
      Map<TopicPartition, OffsetAndMetadata> read) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(read);
    offsets.replaceAll(
        (partition, end) -> {
          TreeSet<Long> open = underWay.get(partition);
          return open == null ? end : new OffsetAndMetadata(Math.min(open.first(), end.offset()));
        });
    return offsets;
  }
}
