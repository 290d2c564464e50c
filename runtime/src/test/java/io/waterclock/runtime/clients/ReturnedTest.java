package io.waterclock.runtime.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** What the gate knows of records that are returned and not processed. */
final class ReturnedTest {
  private final Returned returned = new Returned();

  @Test
  void nothing_is_unprocessed_before_the_first_record() {
    assertThat(returned.isBehind()).isFalse();
    assertThat(returned.earliestUnprocessed()).isEmpty();
    assertThat(returned.last()).isEqualTo(Instant.EPOCH);
  }

  /** As of the router, which has no gate that says when they are processed. */
  @Test
  void records_of_partitions_that_no_gate_asks_for_are_not_kept() {
    TopicPartition gated = new TopicPartition("topic", 0);
    Map<TopicPartition, Returned> watched = new HashMap<>(Map.of(gated, returned));
    Returned.note(
        new ConsumerRecords<>(
            Map.of(gated, records(10, 4_000), new TopicPartition("topic", 1), records(7, 3_000)),
            Map.of()),
        watched);
    assertThat(watched).containsOnlyKeys(gated);
    assertThat(returned.isBehind()).isTrue();
  }

  @Test
  void the_earliest_record_of_all_unprocessed_polls_counts_whatever_their_order() {
    returned.add(records(10, 5_000, 4_000));
    returned.add(records(12, 3_000));
    assertThat(returned.earliestUnprocessed()).isEqualTo(ms(3_000));
    assertThat(returned.last()).isEqualTo(Instant.ofEpochMilli(3_000));
  }

  @Test
  void a_poll_counts_until_its_last_record_is_processed() {
    returned.add(records(10, 4_000, 5_000));
    returned.add(records(12, 6_000));
    returned.processed(10);
    assertThat(returned.earliestUnprocessed()).isEqualTo(ms(4_000));
    returned.processed(11);
    assertThat(returned.earliestUnprocessed()).isEqualTo(ms(6_000));
    returned.processed(12);
    assertThat(returned.isBehind()).isFalse();
    assertThat(returned.lastProcessed()).isEqualTo(12);
  }

  @Test
  void a_record_without_a_timestamp_was_written_at_the_epoch_at_the_earliest() {
    returned.add(records(0, -1));
    assertThat(returned.last()).isEqualTo(Instant.EPOCH);
    assertThat(returned.earliestUnprocessed()).isEqualTo(ms(0));
  }

  /** Of a task that ends with its transaction, the next one reads the records again. */
  @Test
  void what_was_processed_in_an_aborted_transaction_is_not_passed() {
    returned.add(records(10, 4_000));
    returned.processed(10);
    returned.aborted();
    assertThat(returned.passes(12)).as("with the marker behind it").isFalse();
    returned.add(records(12, 5_000));
    returned.processed(12);
    assertThat(returned.passes(13)).isFalse();
    assertThat(returned.passes(14)).isTrue();
    assertThat(returned.passes(14)).isFalse();
  }

  private static Optional<Instant> ms(long ms) {
    return Optional.of(Instant.ofEpochMilli(ms));
  }

  private static List<ConsumerRecord<byte[], byte[]>> records(long offset, long... timestamps) {
    return IntStream.range(0, timestamps.length)
        .mapToObj(i -> record(offset + i, timestamps[i]))
        .toList();
  }

  private static ConsumerRecord<byte[], byte[]> record(long offset, long timestamp) {
    return new ConsumerRecord<>(
        "topic",
        0,
        offset,
        timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        new byte[0],
        new byte[0],
        new RecordHeaders(),
        Optional.empty());
  }
}
