package io.waterclock.sim.judge;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.spec.Spec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The runs of a schedule's fires, as workers report them, and what overlaps them. A run lasts until
 * its end is reported, at most for its time-out after its fire or, if that was reported in time,
 * after its start.
 */
final class Runs {
  private final Facts facts;
  private final int home;

  /** By when they were appended. */
  private final List<Run> runs = new ArrayList<>();

  /** For each run the latest that it or one before it may last. */
  private final List<Long> latestUntil = new ArrayList<>();

  /** For each run the latest end of it or one before it. */
  private final List<Long> endsUntil = new ArrayList<>();

  /**
   * The run of a fire.
   *
   * @param timeoutMs empty if the run limits nothing: its schedule allows overlap, or there is no
   *     time-out
   * @param ends reports of its end
   * @param starts reports of its starts
   */
  private record Run(
      Revised of,
      long nominalMs,
      long firedMs,
      long appendedMs,
      OptionalLong timeoutMs,
      List<LogRecord> ends,
      List<LogRecord> starts) {

    /**
     * The policy for its occurrence. A fire of the newest revision for what older ones have left is
     * exempt: their own policy applies.
     */
    Spec.Overlap overlap() {
      return nominalMs > of.ownsAfterMs() ? of.spec.overlap() : Spec.Overlap.ALLOW;
    }

    /** Whether another occurrence of the same life was due during this run, whatever was read. */
    boolean surelyCovers(Run other) {
      return timeoutMs.isPresent()
          && other.of().life == of.life
          && other.nominalMs() >= firedMs
          && other.nominalMs() < surelyEndedMs();
    }

    /** The earliest time at which it may have ended. */
    long surelyEndedMs() {
      return Math.min(
          firedMs + timeoutMs.orElse(0),
          ends.stream().mapToLong(LogRecord::timestampMs).min().orElse(Long.MAX_VALUE));
    }

    /** When it ended by what is reported, or else at the latest. */
    long endMs() {
      return Math.min(
          longestMs(), ends.stream().mapToLong(LogRecord::visibleMs).min().orElse(Long.MAX_VALUE));
    }

    /** The latest that it may last, if nothing is known of its end. */
    long longestMs() {
      if (timeoutMs.isEmpty()) {
        return firedMs;
      }
      long latest = starts.stream().mapToLong(LogRecord::timestampMs).max().orElse(firedMs);
      return Math.max(firedMs, latest) + timeoutMs.getAsLong();
    }
  }

  Runs(Facts facts, int home) {
    this.facts = facts;
    this.home = home;
  }

  /** Adds a fire of the trigger with the reports that name it; before anything is asked. */
  void add(
      Revised of,
      Evidence.Committed<Fire> fire,
      List<Evidence.Committed<io.waterclock.schemas.avro.Outcome>> reports) {
    List<LogRecord> ends = new ArrayList<>();
    List<LogRecord> starts = new ArrayList<>();
    for (Evidence.Committed<io.waterclock.schemas.avro.Outcome> report : reports) {
      (report.value().getState() == OutcomeState.STARTED ? starts : ends).add(report.record());
    }
    long nominal = fire.value().getOccurrence().toEpochMilli();
    runs.add(
        new Run(
            of,
            nominal,
            fire.value().getFiredAt().toEpochMilli(),
            fire.record().appendedMs(),
            of.spec.overlap() == Spec.Overlap.ALLOW ? OptionalLong.empty() : of.timeoutMs(nominal),
            ends,
            starts));
  }

  /** All fires are added. */
  void complete() {
    runs.sort(Comparator.comparingLong(Run::appendedMs));
    long latest = 0;
    long latestEnd = 0;
    for (Run run : runs) {
      latest = Math.max(latest, run.longestMs());
      latestEnd = Math.max(latestEnd, run.endMs());
      latestUntil.add(latest);
      endsUntil.add(latestEnd);
    }
  }

  /** The runs during which a fire came, although its schedule allows no overlap. */
  List<String> overlapping() {
    List<String> found = new ArrayList<>();
    for (int i = 1; i < runs.size(); i++) {
      Run before = runs.get(i - 1);
      Run next = runs.get(i);
      boolean isLimited =
          before.timeoutMs().isPresent()
              && next.overlap() != Spec.Overlap.ALLOW
              && next.of().life == before.of().life;
      boolean isReported =
          before.ends().stream().anyMatch(end -> end.appendedMs() <= next.appendedMs());
      if (isLimited
          && !isReported
          && next.firedMs() < before.firedMs() + before.timeoutMs().getAsLong()) {
        found.add(
            "%s fired at %s, while the fire of %s runs"
                .formatted(at(next.nominalMs()), at(next.firedMs()), at(before.nominalMs())));
      }
    }
    return found;
  }

  private static Instant at(long ms) {
    return Instant.ofEpochMilli(ms);
  }

  /**
   * The fires of occurrences that were due during a run, and that their schedule leaves out then:
   * all with SKIP, all but the first with BUFFER_ONE. A replay fires all.
   */
  List<String> notLeftOut() {
    List<String> found = new ArrayList<>();
    for (int i = 1; i < runs.size(); i++) {
      Run late = runs.get(i);
      if (late.of().spec.catchUp() == Spec.CatchUp.REPLAY) {
        continue;
      }
      Run before = runs.get(i - 1);
      boolean isLeftOut =
          switch (late.overlap()) {
            case ALLOW -> false;
            case SKIP -> before.surelyCovers(late);
            case BUFFER_ONE ->
                i > 1
                    && runs.get(i - 2).surelyCovers(late)
                    && runs.get(i - 2).surelyCovers(before)
                    && late.firedMs() < runs.get(i - 2).surelyEndedMs() + late.of().spec.graceMs();
          };
      if (isLeftOut) {
        found.add(
            "%s fired at %s, and was due during the run of %s, fired at %s for at most %s ms"
                .formatted(
                    at(late.nominalMs()),
                    at(late.firedMs()),
                    at(before.nominalMs()),
                    at(before.firedMs()),
                    before.timeoutMs().orElse(0)));
      }
    }
    return found;
  }

  /**
   * Whether a run may have lasted until an occurrence, as far as a scheduler knew when it decided
   * that.
   *
   * @param slackMs within which a scheduler that reads has read a report
   */
  boolean overlaps(long nominalMs, long decidedMs, long slackMs) {
    for (int i = runs.size() - 1; i >= 0 && latestUntil.get(i) > nominalMs; i--) {
      Run run = runs.get(i);
      if (run.firedMs() <= decidedMs
          && nominalMs < run.longestMs()
          && run.ends().stream().noneMatch(end -> wasRead(end, nominalMs, decidedMs, slackMs))) {
        return true;
      }
    }
    return false;
  }

  /** The scheduler has surely read a report that the run had ended before an occurrence. */
  private boolean wasRead(LogRecord end, long nominalMs, long decidedMs, long slackMs) {
    return end.timestampMs() <= nominalMs
        && end.visibleMs() + slackMs < decidedMs
        && facts.reading().covers(home, end.visibleMs(), end.visibleMs() + slackMs);
  }

  /** When the last run before a time ended, as far as schedulers may know; 0 without a run. */
  long lastsUntil(long atMs) {
    int low = 0;
    int high = runs.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (runs.get(middle).appendedMs() < atMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? 0 : endsUntil.get(low - 1);
  }
}
