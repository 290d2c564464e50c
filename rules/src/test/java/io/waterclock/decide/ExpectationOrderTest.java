package io.waterclock.decide;

import static io.waterclock.schemas.avro.OutcomeState.DROPPED;
import static io.waterclock.schemas.avro.OutcomeState.FAILED;
import static io.waterclock.schemas.avro.OutcomeState.STARTED;
import static io.waterclock.schemas.avro.OutcomeState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reports, pauses, resumes and edits at random, read up to four minutes late and in any order, the
 * edits in theirs: the alerts are those that follow from when they were written.
 */
final class ExpectationOrderTest {
  private static final Instant BEGIN = Life.at("10:00");
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final int STEPS = 6 * 300;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 200);
  }

  /** What is written at one time, and read at another. */
  private record Input(Instant written, Instant read, Runnable reading) {}

  private record Fact(Instant at, Instant occurrence, OutcomeState outcome) {}

  /** A fire, and from when its time counts. */
  private record Fired(Instant occurrence, Instant from, Instant firedAt) {
    Instant lateAt(Duration within) {
      Instant deadline = from.plus(within);
      return deadline.isBefore(firedAt) ? firedAt : deadline;
    }
  }

  private record Hold(Instant since, Optional<Instant> until) {}

  @ParameterizedTest
  @MethodSource("seeds")
  void alerts_follow_from_what_was_written_whenever_it_is_read(long seed) {
    new Trace(seed).judge();
  }

  private static final class Trace {
    private final long seed;
    private final SplittableRandom random;
    private final Duration within;
    private final Life life;
    private final List<Input> unread = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private final List<Instant> pauses = new ArrayList<>();
    private final List<Instant> resumes = new ArrayList<>();
    private final List<Fired> fires = new ArrayList<>();
    private Instant nextCommand = Instant.MIN;
    private Instant lastEdit = Instant.MIN;

    Trace(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.within = Duration.ofMinutes(5 + random.nextInt(20)); // longer than a record is late
      this.life =
          Life.everyTenMinutes(CatchUp.COLLAPSE)
              .with(
                  d ->
                      d.setGraceMs(Duration.ofDays(1).toMillis())
                          .setExpect(
                              Expectations.newBuilder()
                                  .setSucceededWithinMs(within.toMillis())
                                  .build()))
              .put("09:55");
    }

    void judge() {
      for (int step = 0; step < STEPS; step++) {
        Instant now = BEGIN.plus(STEP.multipliedBy(step));
        if (step < STEPS - 60) {
          write(now);
        }
        read(now);
        decide(now);
      }
      assertThat(
              life.alerts().stream()
                  .map(alert -> alert.replaceFirst(" SUCCEEDED.* at (\\S+).*", " at $1"))
                  .toList())
          .as("seed %s, within %s", seed, within)
          .isEqualTo(expected());
    }

    private void write(Instant now) {
      int dice = random.nextInt(1_000);
      Instant written = now.minusMillis(1 + random.nextInt(9_000));
      String time = Life.time(written);
      if (dice < 25 && !fires.isEmpty()) {
        Instant of = fires.get(Math.max(0, fires.size() - 1 - random.nextInt(4))).occurrence();
        OutcomeState outcome =
            List.of(SUCCEEDED, SUCCEEDED, FAILED, STARTED, DROPPED).get(random.nextInt(5));
        facts.add(new Fact(written, of, outcome));
        later(written, now, read -> life.reportLate(time, read, Life.time(of), outcome));
      } else if (now.isBefore(nextCommand)) {
        return; // of two resumes, a schedule remembers the later one
      } else if (dice < 30) {
        pauses.add(written);
        later(written, now, read -> life.commandLate(time, read, "\"pause\": {}"));
      } else if (dice < 38) {
        resumes.add(written);
        String how = random.nextBoolean() ? "{\"on_resume\": \"FIRE_ONCE\"}" : "{}";
        later(written, now, read -> life.commandLate(time, read, "\"resume\": " + how));
        nextCommand = now.plusSeconds(240);
      } else if (dice < 41) {
        Instant read = readAt(now);
        lastEdit = read.isBefore(lastEdit) ? lastEdit : read;
        read(written, lastEdit, at -> life.editLate(time, at, d -> d.setDescription(time)));
      }
    }

    private Instant readAt(Instant now) {
      return now.plusSeconds(random.nextInt(3) == 0 ? random.nextInt(230) : 0);
    }

    private void later(Instant written, Instant now, Consumer<String> reading) {
      read(written, readAt(now), reading);
    }

    private void read(Instant written, Instant read, Consumer<String> reading) {
      unread.add(new Input(written, read, () -> reading.accept(Life.time(now(read)))));
    }

    private static Instant now(Instant read) {
      long steps = Duration.between(BEGIN, read).toSeconds() + STEP.toSeconds() - 1;
      return BEGIN.plus(STEP.multipliedBy(steps / STEP.toSeconds()));
    }

    private void read(Instant now) {
      List<Input> due = unread.stream().filter(it -> !it.read().isAfter(now)).toList();
      due.stream().sorted(Comparator.comparing(Input::read)).forEach(it -> it.reading().run());
      unread.removeAll(due);
    }

    private void decide(Instant now) {
      Instant through = Life.readThrough(unread.stream().map(it -> it.written()), now);
      while (life.isDueBy(through)) {
        int before = life.fires().size();
        life.decideReadThrough(Life.time(through), Life.time(now));
        life.fires().stream()
            .skip(before)
            .map(line -> Life.at(line.substring(0, line.indexOf(' '))))
            .forEach(at -> fires.add(new Fired(at, at, now)));
      }
    }

    /** As they were written: a pause begins with the first after a resume. */
    private List<Hold> holds() {
      List<Hold> holds = new ArrayList<>();
      Instant cursor = Instant.MIN;
      TreeSet<Instant> ordered = new TreeSet<>(pauses);
      while (ordered.higher(cursor) != null) {
        Instant since = ordered.higher(cursor);
        Optional<Instant> until =
            resumes.stream().filter(since::isBefore).min(Comparator.naturalOrder());
        holds.add(new Hold(since, until));
        cursor = until.orElse(Instant.MAX);
      }
      return holds;
    }

    private List<String> expected() {
      List<Hold> holds = holds();
      List<Fired> runs =
          fires.stream()
              .map(fire -> ordered(fire, holds))
              .filter(
                  run ->
                      holds.stream()
                          .noneMatch(
                              hold ->
                                  !hold.since().isBefore(run.from())
                                      && hold.since().isBefore(run.lateAt(within))))
              .toList();
      TreeSet<Instant> instants = new TreeSet<>();
      runs.forEach(run -> instants.add(run.lateAt(within)));
      facts.forEach(fact -> instants.add(fact.at()));
      List<String> alerts = new ArrayList<>();
      boolean isOverdue = false;
      for (Instant at : instants.headSet(BEGIN.plus(STEP.multipliedBy(STEPS - 1)), true)) {
        boolean isLate =
            runs.stream()
                .filter(run -> !run.lateAt(within).isAfter(at))
                .anyMatch(run -> facts.stream().noneMatch(fact -> meets(fact, run, at)));
        if (isLate != isOverdue) {
          alerts.add((isLate ? "OVERDUE" : "RECOVERED") + " at " + Life.time(at));
          isOverdue = isLate;
        }
      }
      return alerts;
    }

    private static Fired ordered(Fired fire, List<Hold> holds) {
      return holds.stream()
          .filter(hold -> hold.since().isBefore(fire.occurrence()))
          .flatMap(hold -> hold.until().stream())
          .filter(until -> !until.isBefore(fire.occurrence()))
          .findFirst()
          .map(until -> new Fired(fire.occurrence(), until, fire.firedAt()))
          .orElse(fire);
    }

    private static boolean meets(Fact fact, Fired run, Instant at) {
      return !fact.at().isAfter(at)
          && (fact.outcome() == SUCCEEDED
              ? !fact.occurrence().isBefore(run.occurrence())
              : fact.outcome() == DROPPED && fact.occurrence().equals(run.occurrence()));
    }
  }
}
