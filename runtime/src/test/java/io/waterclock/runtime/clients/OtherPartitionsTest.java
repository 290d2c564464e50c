package io.waterclock.runtime.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Whether the other partitions are read up to the time of the question. */
final class OtherPartitionsTest {
  private static final TopicPartition ZERO = new TopicPartition("schedules", 0);
  private static final TopicPartition ONE = new TopicPartition("schedules", 1);
  private static final TopicPartition TWO = new TopicPartition("schedules", 2);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final FakeBrokers brokers = new FakeBrokers();
  private long nanos;
  private final OtherPartitions others =
      new OtherPartitions(brokers, List.of("schedules"), 3, () -> nanos);

  @Test
  void a_single_partition_has_no_others_and_asks_nothing() {
    OtherPartitions none = new OtherPartitions(brokers, List.of("schedules"), 1, () -> nanos);
    assertThat(none.exist()).isFalse();
    assertThat(none.unread(0, nanos)).isEmpty();
    assertThat(brokers.askedForEnds).isEmpty();
  }

  @Test
  void for_another_application_every_partition_counts_and_be_it_the_only_one() {
    OtherPartitions all =
        OtherPartitions.ofScheduler(brokers, List.of("schedules"), 1, () -> nanos);
    assertThat(all.exist()).isTrue();
    assertThat(all.unread(0, 0)).containsExactly(ZERO);
    brokers.end(Map.of(ZERO, 1L));
    all.unread(0, 0);
    brokers.commit(Map.of(ZERO, 0L));
    assertThat(all.unread(0, 0)).as("the delete there is not read").containsExactly(ZERO);
    nanos += SECOND / 10;
    all.unread(0, 0);
    brokers.commit(Map.of(ZERO, 1L));
    assertThat(all.unread(0, 0)).isEmpty();
  }

  @Test
  void they_are_read_when_what_is_committed_reaches_the_ends() {
    assertThat(others.exist()).isTrue();
    assertThat(others.unread(0, 0)).containsExactly(ONE, TWO);
    brokers.end(Map.of(ZERO, 9L, ONE, 5L, TWO, 0L));
    assertThat(others.unread(0, 0)).containsExactly(ONE, TWO);
    brokers.commit(Map.of(ONE, 4L));
    assertThat(others.unread(0, 0)).containsExactly(ONE);
    nanos += SECOND / 10;
    assertThat(others.unread(0, 0)).containsExactly(ONE);
    brokers.commit(Map.of(ONE, 5L));
    assertThat(others.unread(0, 0)).isEmpty();
    assertThat(others.unread(1, 0)).as("its own partition counts for others").containsExactly(ZERO);
    assertThat(brokers.askedForEnds).hasSize(1);
  }

  @Test
  void a_later_question_needs_later_ends() {
    others.unread(0, 0);
    brokers.end(Map.of(ZERO, 0L, ONE, 0L, TWO, 0L));
    others.unread(0, 0);
    brokers.commit(Map.of());
    assertThat(others.unread(0, 0)).isEmpty();
    nanos = 5;
    assertThat(others.unread(0, 5)).containsExactly(ONE, TWO);
    assertThat(brokers.askedForEnds).hasSize(2);
    assertThat(others.unread(0, 0)).isEmpty();
  }

  @Test
  void a_partition_that_nobody_reads_hides_no_other_one() {
    others.unread(0, 0);
    brokers.end(Map.of(ZERO, 0L, ONE, 5L, TWO, 0L));
    others.unread(0, 0);
    brokers.commit(Map.of());
    assertThat(others.unread(0, 0)).containsExactly(ONE);
    nanos = 2 * SECOND;
    others.unread(0, nanos);
    brokers.end(Map.of(ZERO, 0L, ONE, 5L, TWO, 0L));
    others.unread(0, nanos);
    brokers.commit(Map.of());
    assertThat(others.unread(0, nanos)).containsExactly(ONE);
  }

  @Test
  void it_asks_again_after_a_failure() {
    others.unread(0, 0);
    brokers.ends.completeExceptionally(new TimeoutException("no answer"));
    assertThat(others.unread(0, 0)).containsExactly(ONE, TWO);
    nanos = 2 * SECOND;
    others.unread(0, 0);
    others.unread(0, 0);
    brokers.end(Map.of(ZERO, 0L, ONE, 1L, TWO, 1L));
    others.unread(0, 0);
    brokers.committed.completeExceptionally(new TimeoutException("no answer"));
    others.unread(0, 0);
    nanos += SECOND / 10;
    others.unread(0, 0);
    brokers.commit(Map.of(ONE, 1L, TWO, 7L));
    assertThat(others.unread(0, 0)).isEmpty();
  }

  private static final class FakeBrokers implements OtherPartitions.Brokers {
    private final List<List<TopicPartition>> askedForEnds = new ArrayList<>();
    private CompletableFuture<Map<TopicPartition, Long>> ends = new CompletableFuture<>();
    private CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> committed =
        new CompletableFuture<>();

    @Override
    public CompletableFuture<Map<TopicPartition, Long>> ends(List<TopicPartition> partitions) {
      askedForEnds.add(partitions);
      ends = new CompletableFuture<>();
      return ends;
    }

    @Override
    public CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> committed() {
      committed = new CompletableFuture<>();
      return committed;
    }

    private void end(Map<TopicPartition, Long> all) {
      ends.complete(all);
    }

    private void commit(Map<TopicPartition, Long> offsets) {
      Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>();
      offsets.forEach((partition, offset) -> all.put(partition, new OffsetAndMetadata(offset)));
      committed.complete(all);
    }
  }
}
