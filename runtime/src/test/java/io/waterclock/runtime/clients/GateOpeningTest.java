package io.waterclock.runtime.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import io.waterclock.topology.scheduler.guard.StallDetector;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The order in which a gate waits, for a task that has read its own input at once. */
final class GateOpeningTest {
  private static final TopicPartition OTHER = new TopicPartition("schedules", 1);

  private static final TopicPartition SILENT = new TopicPartition("schedules", 0);

  private boolean hasActed;
  private boolean decides = true;

  /** What is behind it is of an open transaction. */
  private long stable = Long.MAX_VALUE;

  private long actedSince;
  private final Map<TopicPartition, Long> ends = new HashMap<>(Map.of(OTHER, 5L));
  private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
  private long nanos = 1;
  private int rounds;
  private final StallDetector stalls =
      new StallDetector(() -> nanos, () -> Instant.ofEpochMilli(nanos / 1_000_000));
  private final GateOpening gate =
      new GateOpening(
          new FreshEnds(this::ends, () -> nanos, stalls),
          stalls,
          new OtherPartitions(new Brokers(), List.of("schedules"), 2, () -> nanos),
          0,
          () -> nanos);

  /** Asks ten times a second. */
  private boolean opensWithin(Duration time) {
    return opensWithin(gate, time);
  }

  private boolean opensWithin(GateOpening opening, Duration time) {
    for (long end = nanos + time.toNanos(); nanos < end; nanos += 100_000_000) {
      if (opening.isOpen()) {
        return true;
      }
    }
    return false;
  }

  @Test
  void it_waits_until_the_others_are_read_and_then_reads_its_own_inputs_once_more() {
    assertThat(opensWithin(Duration.ofSeconds(10))).isFalse();
    assertThat(gate.unreadOthers()).containsExactly(OTHER);
    int before = rounds;
    committed.put(OTHER, new OffsetAndMetadata(5));
    assertThat(opensWithin(Duration.ofSeconds(2))).isTrue();
    assertThat(rounds).isGreaterThan(before);
  }

  @Test
  void it_waits_for_them_for_a_bounded_time() {
    assertThat(opensWithin(GateOpening.FOR_OTHERS.minusSeconds(1))).isFalse();
    assertThat(opensWithin(Duration.ofSeconds(2))).isTrue();
  }

  @Test
  void what_is_written_elsewhere_during_a_stall_is_read_too() {
    assertThat(opensWithin(Duration.ofSeconds(25))).isFalse();
    ends.put(OTHER, 6L);
    committed.put(OTHER, new OffsetAndMetadata(5));
    stall(Duration.ofMinutes(10));
    assertThat(opensWithin(Duration.ofSeconds(10))).isFalse();
    committed.put(OTHER, new OffsetAndMetadata(6));
    assertThat(opensWithin(Duration.ofSeconds(2))).isTrue();
  }

  @Test
  void a_thread_that_stalls_all_the_time_opens_it_all_the_same() {
    for (int i = 0; i < GateOpening.MOST_BEGUN_AGAIN; i++) {
      assertThat(opensWithin(Duration.ofSeconds(20))).isFalse();
      stall(Duration.ofSeconds(4));
    }
    assertThat(opensWithin(GateOpening.FOR_OTHERS.plusSeconds(2))).isTrue();
  }

  @Test
  void what_follows_waits_for_each_of_the_others_after_the_one_before() {
    GateOpening following = following();
    committed.put(OTHER, new OffsetAndMetadata(5));
    assertThat(opensWithin(following, Duration.ofSeconds(5))).isFalse();
    assertThat(following.unreadOthers()).containsExactly(SILENT);
    assertThat(actedSince).as("asked after the inputs were read").isGreaterThan(1);
    hasActed = true;
    int before = rounds;
    assertThat(opensWithin(following, Duration.ofSeconds(1))).isTrue();
    assertThat(rounds).isGreaterThan(before);
  }

  @Test
  void it_closes_when_the_followed_inputs_are_not_read_any_more_and_opens_when_they_are() {
    GateOpening following = following();
    committed.put(OTHER, new OffsetAndMetadata(5));
    hasActed = true;
    assertThat(opensWithin(following, Duration.ofSeconds(1))).isTrue();
    assertThat(staysOpenFor(following, Duration.ofMinutes(1))).isTrue();
    ends.put(OTHER, 6L);
    hasActed = false;
    assertThat(staysOpenFor(following, Duration.ofSeconds(5))).isFalse();
    committed.put(OTHER, new OffsetAndMetadata(6));
    assertThat(opensWithin(following, Duration.ofSeconds(5))).isFalse();
    hasActed = true;
    assertThat(opensWithin(following, Duration.ofSeconds(1))).isTrue();
  }

  @Test
  void what_opens_without_the_followed_inputs_stays_open_until_they_are_read_once() {
    GateOpening following = following();
    hasActed = true;
    assertThat(opensWithin(following, GateOpening.FOR_FOLLOWED.minusSeconds(1))).isFalse();
    assertThat(opensWithin(following, Duration.ofSeconds(5))).isTrue();
    assertThat(staysOpenFor(following, Duration.ofMinutes(1))).isTrue();
    committed.put(OTHER, new OffsetAndMetadata(5));
    assertThat(staysOpenFor(following, Duration.ofMinutes(1))).isTrue();
    ends.put(OTHER, 6L);
    assertThat(staysOpenFor(following, Duration.ofSeconds(10))).isFalse();
  }

  @Test
  void a_transaction_that_others_leave_open_closes_nothing_and_delays_an_opening_by_two_minutes() {
    GateOpening following = following();
    committed.put(OTHER, new OffsetAndMetadata(5));
    hasActed = true;
    assertThat(opensWithin(following, Duration.ofSeconds(1))).isTrue();
    ends.put(OTHER, 9L);
    stable = 5;
    assertThat(staysOpenFor(following, Duration.ofMinutes(1))).isTrue();
    GateOpening another = following();
    assertThat(opensWithin(another, Duration.ofSeconds(119))).isFalse();
    assertThat(opensWithin(another, Duration.ofSeconds(5))).isTrue();
    assertThat(staysOpenFor(another, Duration.ofMinutes(1))).isTrue();
  }

  @Test
  void it_closes_when_a_task_of_the_followed_does_not_decide() {
    GateOpening following = following();
    committed.put(OTHER, new OffsetAndMetadata(5));
    hasActed = true;
    assertThat(opensWithin(following, Duration.ofSeconds(1))).isTrue();
    decides = false;
    hasActed = false;
    assertThat(staysOpenFor(following, Duration.ofSeconds(2))).isTrue();
    assertThat(staysOpenFor(following, Duration.ofSeconds(3))).isFalse();
    decides = true;
    assertThat(opensWithin(following, Duration.ofSeconds(5))).isFalse();
    hasActed = true;
    assertThat(opensWithin(following, Duration.ofSeconds(1))).isTrue();
  }

  private GateOpening following() {
    Others deciding = (partition, sinceNanos) -> decides ? List.of() : List.of(SILENT);
    Others acting =
        (partition, sinceNanos) -> {
          actedSince = sinceNanos;
          return hasActed ? List.of() : List.of(SILENT);
        };
    return GateOpening.following(
        new FreshEnds(this::ends, () -> nanos, stalls),
        stalls,
        List.of(
            OtherPartitions.ofScheduler(new Brokers(), List.of("schedules"), 2, () -> nanos),
            acting),
        new GateOpening.Followed(
            OtherPartitions.ofScheduler(
                new Brokers() {
                  @Override
                  public CompletableFuture<Map<TopicPartition, Long>> ends(
                      List<TopicPartition> partitions) {
                    return super.ends(partitions)
                        .thenApply(
                            all -> {
                              all.replaceAll((any, end) -> Math.min(end, stable));
                              return all;
                            });
                  }
                },
                List.of("schedules"),
                2,
                () -> nanos),
            deciding,
            Gate.STALL),
        0,
        () -> nanos);
  }

  private boolean staysOpenFor(GateOpening following, Duration time) {
    for (long end = nanos + time.toNanos(); nanos < end; nanos += 100_000_000) {
      if (!following.isOpen()) {
        return false;
      }
    }
    return true;
  }

  private void stall(Duration time) {
    nanos += time.toNanos();
  }

  private List<FreshEnds.End> ends() {
    rounds++;
    long asked = nanos;
    return List.of(
        new FreshEnds.End() {
          @Override
          public boolean isPassed() {
            return true;
          }

          @Override
          public long learnedAtNanos() {
            return asked;
          }
        });
  }

  private class Brokers implements OtherPartitions.Brokers {
    @Override
    public CompletableFuture<Map<TopicPartition, Long>> ends(List<TopicPartition> partitions) {
      Map<TopicPartition, Long> now = new HashMap<>();
      partitions.forEach(partition -> now.put(partition, ends.getOrDefault(partition, 0L)));
      return CompletableFuture.completedFuture(now);
    }

    @Override
    public CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> committed() {
      return CompletableFuture.completedFuture(Map.copyOf(committed));
    }
  }
}
