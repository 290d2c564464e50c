package io.waterclock.client.deadletters;

import io.waterclock.client.topics.Partitions;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Which dead letters are resolved, from a first offset of each partition on. Takes a bit for each
 * offset in between. Not thread-safe.
 */
final class ResolvedLetters {
  private final Map<TopicPartition, Long> from;
  private final Map<TopicPartition, BitSet> resolved = new HashMap<>();

  ResolvedLetters(Map<TopicPartition, Long> from) {
    this.from = Map.copyOf(from);
  }

  void add(Resolution resolution) {
    long index = resolution.offset() - from.getOrDefault(resolution.partition(), 0L);
    if (index >= 0 && index <= Integer.MAX_VALUE) {
      resolved.computeIfAbsent(resolution.partition(), partition -> new BitSet()).set((int) index);
    }
  }

  boolean contains(Partitions.Place letter) {
    BitSet known = resolved.get(letter.partition());
    long index = letter.offset() - from.getOrDefault(letter.partition(), 0L);
    return known != null && index >= 0 && index <= Integer.MAX_VALUE && known.get((int) index);
  }
}
