package io.waterclock.topology.scheduler.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.context.ClockGuard;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClockWatchTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  private Instant wall = START;
  private Instant broker = START;
  private long nanos = 1_000;
  private boolean brokerAnswers = true;
  private final ClockWatch watch =
      new ClockWatch(
          () -> wall, () -> nanos, () -> brokerAnswers ? Optional.of(broker) : Optional.empty());

  @Test
  void nothing_is_decided_before_the_broker_was_asked() {
    assertThat(watch.read().isTrusted()).isFalse();
    assertThat(watch.problem()).contains("the broker's clock is not known yet");
    brokerAnswers = false;
    watch.compare();
    assertThat(watch.read().isTrusted()).isFalse();
  }

  @Test
  void a_clock_that_agrees_with_the_brokers_and_runs_evenly_is_trusted() {
    watch.compare();
    pass(Duration.ofDays(3));
    assertThat(watch.read().isTrusted()).isTrue();
    assertThat(watch.problem()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {6_000, -6_000, 5_001, -5_001, 31_536_000_000L})
  void a_jump_of_more_than_five_seconds_stops_deciding(long jumpMs) {
    watch.compare();
    wall = wall.plusMillis(jumpMs);
    assertThat(watch.read().isTrusted()).isFalse();
    assertThat(watch.problem().orElseThrow()).startsWith("the wall clock jumped by");
  }

  @ParameterizedTest
  @ValueSource(longs = {5_000, -5_000, 1})
  void a_jump_of_up_to_five_seconds_is_taken_as_it_comes(long jumpMs) {
    watch.compare();
    wall = wall.plusMillis(jumpMs);
    assertThat(watch.read().isTrusted()).isTrue();
  }

  @Test
  void after_a_jump_deciding_goes_on_when_the_broker_agrees_with_the_new_time() {
    watch.compare();
    wall = wall.plusSeconds(60);
    assertThat(watch.read().isTrusted()).isFalse();
    broker = wall;
    watch.compare();
    assertThat(watch.read().isTrusted()).isTrue();
  }

  @Test
  void after_a_jump_deciding_stays_stopped_while_the_broker_disagrees_or_is_silent() {
    watch.compare();
    wall = wall.plusSeconds(60);
    assertThat(watch.read().isTrusted()).isFalse();
    watch.compare();
    assertThat(watch.read().isTrusted()).isFalse();
    brokerAnswers = false;
    watch.compare();
    assertThat(watch.read().isTrusted()).isFalse();
  }

  @Test
  void a_clock_ahead_of_the_brokers_stops_deciding_and_one_behind_does_not() {
    watch.compare();
    broker = wall.minusSeconds(6);
    watch.compare();
    assertThat(watch.read().isTrusted()).isFalse();
    assertThat(watch.problem().orElseThrow()).contains("PT6S ahead of the broker's");
    broker = wall.plusSeconds(3_600);
    watch.compare();
    assertThat(watch.read().isTrusted()).isTrue();
  }

  @Test
  void a_broker_that_falls_silent_leaves_the_verdict_as_it_was() {
    watch.compare();
    brokerAnswers = false;
    pass(Duration.ofSeconds(10));
    watch.compare();
    assertThat(watch.read().isTrusted()).isTrue();
  }

  @Test
  void a_thread_that_is_held_up_between_two_clocks_has_seen_no_jump() {
    AtomicInteger looks = new AtomicInteger();
    ClockWatch slow =
        new ClockWatch(
            () -> wall,
            () -> {
              if (looks.incrementAndGet() == 4) {
                pass(Duration.ofSeconds(14));
              }
              return nanos;
            },
            () -> Optional.of(broker));
    slow.compare();
    assertThat(slow.read()).isEqualTo(new ClockGuard.Reading(START.plusSeconds(14), true));
    assertThat(slow.problem()).isEmpty();
  }

  @Test
  void small_steps_that_the_broker_confirms_do_not_add_up() {
    for (int i = 0; i < 10; i++) {
      watch.compare();
      wall = wall.plusSeconds(4);
      broker = wall;
      assertThat(watch.read().isTrusted()).isTrue();
    }
  }

  @Test
  void it_says_once_that_deciding_stops_however_often_it_is_asked() {
    String log =
        logged(
            () -> {
              broker = wall.minusSeconds(60);
              for (int i = 0; i < 3; i++) {
                watch.compare();
                assertThat(watch.read().isTrusted()).isFalse();
              }
              broker = wall;
              watch.compare();
              wall = wall.plusSeconds(60);
              for (int i = 0; i < 3; i++) {
                assertThat(watch.read().isTrusted()).isFalse();
              }
            });
    assertThat(log.lines().filter(line -> line.contains("Deciding stops"))).hasSize(2);
  }

  @Test
  void a_clock_that_is_behind_goes_on_and_tells_the_time_of_the_broker() {
    wall = START.minus(Duration.ofHours(20));
    String log =
        logged(
            () -> {
              watch.compare();
              watch.compare();
            });
    pass(Duration.ofSeconds(7));
    assertThat(watch.read()).isEqualTo(new ClockGuard.Reading(wall, true, START.plusSeconds(7)));
    assertThat(watch.latest()).isEqualTo(START.plusSeconds(7));
    assertThat(log.lines()).singleElement().asString().contains("PT20H behind the broker's");
  }

  @Test
  void a_jump_back_leaves_the_time_of_the_broker_known() {
    watch.compare();
    pass(Duration.ofSeconds(7));
    wall = wall.minus(Duration.ofHours(20));
    assertThat(watch.read()).isEqualTo(new ClockGuard.Reading(wall, false, START.plusSeconds(7)));
  }

  @Test
  void a_clock_that_is_ahead_tells_the_time_of_the_broker_while_it_is_not_trusted() {
    watch.compare();
    pass(Duration.ofSeconds(7));
    wall = wall.plus(Duration.ofHours(1));
    assertThat(watch.read()).as("perhaps a suspend").isEqualTo(new ClockGuard.Reading(wall, false));
    watch.compare();
    pass(Duration.ofSeconds(1));
    assertThat(watch.read()).isEqualTo(new ClockGuard.Reading(wall, false, broker));
    wall = wall.plus(Duration.ofHours(1));
    assertThat(watch.read().latest()).as("a suspend after that").isEqualTo(wall);
  }

  @Test
  void a_difference_that_is_tolerated_is_none() {
    wall = START.minusSeconds(5);
    watch.compare();
    assertThat(watch.read()).isEqualTo(new ClockGuard.Reading(wall, true));
    wall = START.plusSeconds(100);
    assertThat(watch.latest()).as("set right").isEqualTo(wall);
  }

  @Test
  void an_answer_that_takes_long_does_not_make_the_clock_look_slow() {
    ClockWatch slow =
        new ClockWatch(
            () -> wall,
            () -> nanos,
            () -> {
              pass(Duration.ofSeconds(9));
              return Optional.of(broker);
            });
    slow.compare();
    assertThat(slow.latest()).isEqualTo(wall);
  }

  private void pass(Duration time) {
    wall = wall.plus(time);
    broker = broker.plus(time);
    nanos += time.toNanos();
  }

  private static String logged(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }
}
