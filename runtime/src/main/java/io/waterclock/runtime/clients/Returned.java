package io.waterclock.runtime.clients;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * The records that a consumer has returned of a partition, as far as the gate needs them: a few
 * numbers for each poll with records that are not processed yet. For the consumer's thread only.
 */
final class Returned {
  /**
   * The records of one poll.
   *
   * @param earliestMs the least timestamp of them
   */
  private record Batch(long lastOffset, long earliestMs) {}

  private final Deque<Batch> unprocessed = new ArrayDeque<>();
  private long lastProcessed = -1;
  private long lastMs;
  private long passed;
  private boolean isAborted;

  /**
   * Notes the records of a poll.
   *
   * @param watched the partitions of which they are noted: no gate says when those of the others
   *     are processed, so they would be kept for ever
   */
  static void note(ConsumerRecords<?, ?> records, Map<TopicPartition, Returned> watched) {
    for (TopicPartition partition : records.partitions()) {
      Returned of = watched.get(partition);
      if (of != null) {
        of.add(records.records(partition));
      }
    }
  }

  /**
   * Notes the records of a poll of one partition.
   *
   * @param records at least one
   */
  void add(List<? extends ConsumerRecord<?, ?>> records) {
    long earliestMs = Long.MAX_VALUE;
    for (ConsumerRecord<?, ?> record : records) {
      earliestMs = Math.min(earliestMs, record.timestamp());
    }
    ConsumerRecord<?, ?> last = records.get(records.size() - 1);
    lastMs = last.timestamp();
    unprocessed.addLast(new Batch(last.offset(), earliestMs));
  }

  void processed(long offset) {
    lastProcessed = offset;
    isAborted = false;
    while (!unprocessed.isEmpty() && unprocessed.getFirst().lastOffset() <= offset) {
      unprocessed.removeFirst();
    }
  }

  /** The offset of the last processed record; -1 before the first. */
  long lastProcessed() {
    return lastProcessed;
  }

  /**
   * The transaction was aborted in which records may have been processed. Their task is gone, and
   * the next one reads them again; or they were committed before, and the task goes on.
   */
  void aborted() {
    isAborted = true;
  }

  /**
   * Notes a position of the consumer; true when it is farther than before and all records, and no
   * record before it will be read again.
   */
  boolean passes(long position) {
    if (isAborted) {
      return false;
    }
    boolean isFarther = position > Math.max(passed, lastProcessed + 1);
    passed = Math.max(passed, position);
    return isFarther;
  }

  /** True while records were returned that are not processed. */
  boolean isBehind() {
    return !unprocessed.isEmpty();
  }

  /**
   * No unprocessed record was written before this instant; empty when all are processed. At most
   * the records of one poll earlier than the oldest of them.
   */
  Optional<Instant> earliestUnprocessed() {
    return unprocessed.stream()
        .mapToLong(Batch::earliestMs)
        .boxed()
        .min(Long::compare)
        .map(ms -> Instant.ofEpochMilli(Math.max(0, ms)));
  }

  /** The timestamp of the last record; the epoch before the first. */
  Instant last() {
    return Instant.ofEpochMilli(Math.max(0, lastMs));
  }
}
