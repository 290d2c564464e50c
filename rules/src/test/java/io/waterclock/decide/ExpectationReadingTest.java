package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same history, read when it is written and read up to four minutes late: where the same fires
 * come, so do the same alerts. It knows nothing of what is expected.
 */
final class ExpectationReadingTest {
  private static final Instant BEGIN = Life.at("10:00");
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final int STEPS = 6 * 180;
  private static final long LATEST = 230;
  private static final List<OutcomeState> OUTCOMES = List.of(OutcomeState.values());

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 60);
  }

  private interface Reading {
    void at(Scheduler scheduler, String now);
  }

  /**
   * What is written at one time, and may be read at another.
   *
   * @param defines a record of the topic schedules, which come in their order
   */
  private record Input(Instant written, Instant late, boolean defines, Reading reading) {}

  @ParameterizedTest
  @MethodSource("seeds")
  void alerts_are_the_same_whenever_a_history_is_read(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Input> inputs = new Writer(random).write();
    Expectations expect = expectations(random);
    Scheduler onTime = new Scheduler(expect);
    onTime.play(inputs, Input::written);
    Scheduler late = new Scheduler(expect);
    late.play(inputs, Input::late);
    if (onTime.fires().equals(late.fires()) && onTime.reports.equals(late.reports)) {
      Set<String> withdrawn = new HashSet<>(onTime.withdrawn());
      withdrawn.addAll(late.withdrawn());
      assertThat(late.alertsBut(withdrawn))
          .as("seed %s", seed)
          .isEqualTo(onTime.alertsBut(withdrawn));
    }
  }

  private static Expectations expectations(SplittableRandom random) {
    Duration within = Duration.ofMinutes(5 + random.nextInt(20)); // longer than a record is late
    int which = 1 + random.nextInt(7);
    return Expectations.newBuilder()
        .setSucceededWithinMs((which & 1) == 0 ? null : within.toMillis())
        .setSucceededEveryMs(
            (which & 2) == 0 ? null : Duration.ofMinutes(12 + random.nextInt(30)).toMillis())
        .setStartedWithinMs((which & 4) == 0 ? null : within.minusSeconds(30).toMillis())
        .build();
  }

  private static Instant onStep(Instant at) {
    long steps = Duration.between(BEGIN, at).plus(STEP).minusMillis(1).dividedBy(STEP);
    return BEGIN.plus(STEP.multipliedBy(steps));
  }

  private static final class Writer {
    private final SplittableRandom random;
    private final List<Input> inputs = new ArrayList<>();
    private Instant nextCommand = Instant.MIN;
    private Instant lastDefinition = Instant.MIN;

    Writer(SplittableRandom random) {
      this.random = random;
    }

    List<Input> write() {
      for (int step = 0; step < STEPS - 60; step++) {
        step += write(BEGIN.plus(STEP.multipliedBy(step)).minusMillis(random.nextInt(9_000)));
      }
      return inputs;
    }

    /** Returns for how many steps nothing follows. */
    private int write(Instant at) {
      String time = Life.time(at);
      int dice = random.nextInt(1_000);
      if (dice < 25) {
        report(at, time);
      } else if (dice < 38 && !at.isBefore(nextCommand)) {
        // of two resumes, a schedule remembers the later one
        nextCommand = dice < 30 ? nextCommand : at.plusSeconds(LATEST + 10);
        String order = random.nextBoolean() ? "{\"on_resume\": \"FIRE_ONCE\"}" : "{}";
        String command = dice < 30 ? "\"pause\": {}" : "\"resume\": " + order;
        add(at, false, (it, now) -> it.life.commandLate(time, now, command));
      } else if (dice >= 38 && dice < 42) {
        add(at, true, (it, now) -> it.life.editLate(time, now, d -> d.setDescription(time)));
      } else if (dice >= 42 && dice < 44) {
        nextCommand = at.plusSeconds(LATEST + 10);
        boolean enabled = random.nextBoolean();
        add(at, true, (it, now) -> it.life.editLate(time, now, d -> d.setEnabled(enabled)));
      } else if (dice >= 44 && dice < 46) {
        Expectations others = expectations(random);
        add(at, true, (it, now) -> it.life.editLate(time, now, d -> d.setExpect(others)));
      } else if (dice >= 46 && dice < 48) {
        Instant again = at.plusSeconds(1 + random.nextInt(1_500));
        add(at, true, (it, now) -> it.life.deleteLate(time, now));
        add(again, true, (it, now) -> it.life.putLate(Life.time(again), now));
        return (int) Duration.between(at, again).dividedBy(STEP) + 1;
      }
      return 0;
    }

    private void report(Instant at, String time) {
      long tenMinutes = Duration.between(Life.DAY, at.minusSeconds(300)).toMinutes() / 10;
      String of = Life.time(Life.DAY.plusSeconds(600 * (tenMinutes - random.nextInt(4))));
      OutcomeState outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
      add(
          at,
          false,
          (it, now) -> {
            if (it.life.fires().stream().anyMatch(fire -> fire.startsWith(of + " "))) {
              it.reports.add(time);
              it.life.reportLate(time, now, of, outcome);
            }
          });
    }

    private void add(Instant at, boolean defines, Reading reading) {
      Instant late = at.plusSeconds(random.nextInt(3) == 0 ? random.nextLong(LATEST) : 0);
      if (defines) {
        lastDefinition = late.isBefore(lastDefinition) ? lastDefinition : late;
      }
      inputs.add(new Input(at, defines ? lastDefinition : late, defines, reading));
    }
  }

  private static final class Scheduler {
    final Life life;
    final Set<String> reports = new HashSet<>();

    Scheduler(Expectations expect) {
      life =
          Life.everyTenMinutes(CatchUp.COLLAPSE)
              .with(d -> d.setGraceMs(Duration.ofDays(1).toMillis()).setExpect(expect))
              .put("09:55");
    }

    void play(List<Input> inputs, Function<Input, Instant> readAt) {
      List<Input> unread = new ArrayList<>(inputs);
      unread.sort(Comparator.comparing(readAt));
      for (int step = 0; step < STEPS; step++) {
        Instant now = BEGIN.plus(STEP.multipliedBy(step));
        String time = Life.time(now);
        List<Input> due =
            unread.stream().takeWhile(it -> !onStep(readAt.apply(it)).isAfter(now)).toList();
        for (Input next : due) {
          // what is written for a schedule that is still to be read waits for it
          if (next.defines() || !life.isGone()) {
            unread.remove(next);
            next.reading().at(this, time);
          }
        }
        if (life.isGone()) {
          continue;
        }
        Instant through = Life.readThrough(unread.stream().map(Input::written), now);
        while (life.isDueBy(through)) {
          life.decideReadThrough(Life.time(through), time);
        }
      }
    }

    List<String> fires() {
      return life.fires().stream().map(fire -> fire.split(" ")[0]).sorted().toList();
    }

    /** What a delete or an edit has ended: what was not decided then is not. */
    List<String> withdrawn() {
      return alerts().filter(it -> it.endsWith("withdrawn")).map(Scheduler::subject).toList();
    }

    List<String> alertsBut(Set<String> subjects) {
      return alerts()
          .filter(it -> !subjects.contains(subject(it)))
          .map(it -> it.replaceFirst(" by .*", ""))
          .sorted(Comparator.comparing(it -> it.split(" ")[1]))
          .toList();
    }

    private Stream<String> alerts() {
      return life.alerts().stream();
    }

    private static String subject(String alert) {
      String[] words = alert.split(" ");
      return words[1] + " " + words[2];
    }
  }
}
