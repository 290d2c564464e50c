package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A schedule of every minute from 00:30 on, its worker's queue more or less behind, a tolerance:
 * four timelines, event for event, as time, event, next occurrence, last run.
 */
final class ToleranceTimelinesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Instant MIDNIGHT = Instant.parse("2026-11-21T00:00:00Z");

  @ParameterizedTest
  @CsvSource({"3", "5", "31"})
  void a_little_congestion_both_run(int toleranceSeconds) {
    assertThat(
            new Timeline(toleranceSeconds)
                .fires("00:30")
                .getsTo("00:35")
                .ends("00:45")
                .fires("01:30")
                .getsTo("01:32")
                .events)
        .containsExactly(
            "00:30 A1 fires 01:30 -",
            "00:35 A1 starts 01:30 00:35",
            "00:45 A1 ends 01:30 00:35",
            "01:30 A2 fires 02:30 00:35",
            "01:32 A2 starts 02:30 01:32");
  }

  @ParameterizedTest
  @CsvSource({"3", "5", "31"})
  void b_evenly_behind_nothing_is_dropped(int toleranceSeconds) {
    assertThat(
            new Timeline(toleranceSeconds)
                .fires("00:30")
                .fires("01:30")
                .getsTo("01:35")
                .ends("01:38")
                .fires("02:30")
                .getsTo("02:37")
                .events)
        .containsExactly(
            "00:30 A1 fires 01:30 -",
            "01:30 A2 fires 02:30 -",
            "01:35 A1 starts 02:30 01:35",
            "01:38 A1 ends 02:30 01:35",
            "02:30 A3 fires 03:30 01:35",
            "02:37 A2 starts 03:30 02:37");
  }

  @ParameterizedTest
  @CsvSource({"3", "5", "31"})
  void c_only_the_first_was_late_the_second_is_dropped(int toleranceSeconds) {
    assertThat(
            new Timeline(toleranceSeconds)
                .fires("00:30")
                .fires("01:30")
                .getsTo("01:35")
                .ends("01:38")
                .getsTo("02:03")
                .fires("02:30")
                .getsTo("02:56")
                .events)
        .containsExactly(
            "00:30 A1 fires 01:30 -",
            "01:30 A2 fires 02:30 -",
            "01:35 A1 starts 02:30 01:35",
            "01:38 A1 ends 02:30 01:35",
            "02:03 A2 is dropped 02:30 01:35",
            "02:30 A3 fires 03:30 01:35",
            "02:56 A3 starts 03:30 02:56");
  }

  @ParameterizedTest
  @CsvSource({"3", "5", "31"})
  void d_a_used_up_timeout_does_not_affect_the_next_run(int toleranceSeconds) {
    assertThat(
            new Timeline(toleranceSeconds)
                .fires("00:30")
                .getsTo("00:35")
                .fires("01:30")
                .getsTo("01:32")
                .events)
        .containsExactly(
            "00:30 A1 fires 01:30 -",
            "00:35 A1 starts 01:30 00:35",
            "01:05 A1 is cancelled 01:30 00:35",
            "01:30 A2 fires 02:30 00:35",
            "01:32 A2 starts 02:30 01:32");
  }

  @ParameterizedTest
  @CsvSource({"2,01:32,A2 is dropped", "2,01:33,A2 starts", "32,02:03,A2 starts"})
  void beyond_the_bounds_of_the_tolerance_the_events_differ(
      int toleranceSeconds, String getsTo, String event) {
    assertThat(
            new Timeline(toleranceSeconds)
                .fires("00:30")
                .getsTo(getsTo.equals("02:03") ? "01:35" : "00:35")
                .ends(getsTo.equals("02:03") ? "01:38" : "00:45")
                .fires("01:30")
                .getsTo(getsTo)
                .events
                .get(4))
        .contains(event);
  }

  /** A worker's rules on a virtual clock. */
  private static final class Timeline {
    private final List<String> events = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Memory memory = new Memory();
    private final FireBuffer<String> buffer = new FireBuffer<>(100, Map.of(), Fire::getScheduleId);
    private final Turns<String> turns =
        new Turns<>(
            buffer, memory, memory::lastStart, Duration.ofSeconds(5), new SplittableRandom(1));
    private final AssignedPartition source = buffer.open(Backlog.NONE, 0);
    private final int toleranceSeconds;
    private Instant next = MIDNIGHT;
    private Optional<BufferedFire<String>> running = Optional.empty();

    Timeline(int toleranceSeconds) {
      this.toleranceSeconds = toleranceSeconds;
    }

    Timeline fires(String time) {
      Instant now = until(time);
      Fire fire =
          TestFires.of(
              "a", now, MINUTE, schedule -> schedule.setToleranceMs(toleranceSeconds * 1_000L));
      names.put(fire.getFireId(), "A" + (names.size() + 1));
      next = fire.getNext();
      buffer.add(new BufferedFire<>(source, names.size(), fire, RunPolicy.of(fire), ""));
      return tell(now, fire, "fires");
    }

    /** The work queue reaches the next fire of the schedule. */
    Timeline getsTo(String time) {
      Instant now = until(time);
      Turn<String> turn = turns.next(now).orElseThrow();
      Fire fire = turn.work().fire();
      if (turn instanceof Turn.Run<String> run) {
        memory.started(fire, now);
        running = Optional.of(run.work());
        return tell(now, fire, "starts");
      }
      turns.done(turn.work());
      return tell(now, fire, "is dropped");
    }

    Timeline ends(String time) {
      Instant now = until(time);
      BufferedFire<String> work = running.orElseThrow();
      turns.done(work);
      return tell(now, work.fire(), "ends");
    }

    /** Lets time pass; a cancelled run ends at once. */
    private Instant until(String time) {
      Instant now = MIDNIGHT.plus(Duration.between(LocalTime.MIN, LocalTime.parse("00:" + time)));
      while (turns.nextAlarm().filter(at -> !at.isAfter(now)).isPresent()) {
        Instant alarm = turns.nextAlarm().orElseThrow();
        for (Turns.Overdue<String> overdue : turns.overdue(alarm)) {
          assertThat(turns.failed(overdue.work(), false, alarm))
              .contains(RetryDecision.Failed.TIMED_OUT);
          tell(alarm, overdue.work().fire(), "is cancelled");
        }
      }
      return now;
    }

    private Timeline tell(Instant at, Fire fire, String what) {
      events.add(
          String.join(
              " ",
              text(at),
              String.valueOf(names.get(fire.getFireId())),
              what,
              text(next),
              memory.lastStart("a").map(last -> text(last.at())).orElse("-")));
      return this;
    }

    private static String text(Instant at) {
      LocalTime time = LocalTime.ofInstant(at, ZoneOffset.UTC);
      return "%02d:%02d".formatted(time.getMinute(), time.getSecond());
    }
  }
}
