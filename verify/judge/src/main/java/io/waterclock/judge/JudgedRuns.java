package io.waterclock.judge;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The runs of a schedule's fires, as workers report them, and what overlaps them. A run lasts until
 * its end is reported, at most for its time-out after its fire or, once its start is reported,
 * after that. Only the run of the newest fire counts.
 */
final class JudgedRuns {
  private final Terms terms;
  private final WayHome way;
  private final long readMs;

  /** When resumes were written, which fire in any case what a pause has held. */
  private final List<Long> resumes;

  /** By their offsets. */
  private final List<Run> runs = new ArrayList<>();

  /** The latest time at which each would have begun with every fire in time. */
  private final List<Long> dueMs = new ArrayList<>();

  /**
   * The run of a fire.
   *
   * @param timeoutMs empty if the run limits nothing: its schedule allows overlap, or there is no
   *     time-out
   * @param ends reports of its end
   * @param endKnownMs when one of them is known at the latest; never if none surely is
   * @param starts reports of its starts
   */
  private record Run(
      Revised of,
      Entry<Fire> by,
      long nominalMs,
      long firedMs,
      long appendedMs,
      OptionalLong timeoutMs,
      List<Entry<Outcome>> ends,
      long endKnownMs,
      List<Entry<Outcome>> starts) {

    /**
     * The policy for its occurrence. A fire of the newest revision for what older ones have left is
     * exempt: their own policy applies.
     */
    Overlap overlap() {
      return nominalMs > of.ownsAfterMs() ? of.definition.overlap() : Overlap.ALLOW;
    }

    boolean limits(Revised other) {
      return timeoutMs.isPresent() && other.life == of.life;
    }

    /**
     * Whether another occurrence of the same life was due during this run, whatever was read.
     *
     * @param skewMs by how much two clocks may differ
     */
    boolean surelyCovers(Run other, long skewMs) {
      long late = replays(other.of()) ? firedMs - nominalMs : 0;
      return limits(other.of())
          && other.nominalMs() >= firedMs
          && other.nominalMs() < surelyEndedMs() - late - skewMs;
    }

    /** The earliest time at which it may have ended. */
    long surelyEndedMs() {
      return Math.min(
          firedMs + timeoutMs.orElse(0),
          ends.stream().mapToLong(Entry::timestampMs).min().orElse(Long.MAX_VALUE));
    }

    /** The latest that it may last by what can be known at a time, if its end is not. */
    long mayLastUntil(long knownMs) {
      long from = firedMs;
      for (Entry<Outcome> start : starts) {
        if (start.appendedMs() <= knownMs) {
          from = Math.max(from, Math.min(start.timestampMs(), knownMs));
        }
      }
      return from + timeoutMs.orElse(0);
    }

    /**
     * Whether it may cover an occurrence by what can be known, as it would have been with every
     * fire in time or, without a replay, as it was.
     *
     * @param dueMs the latest time at which it would have begun then
     */
    boolean mayCover(Revised other, long ms, long dueMs, long knownMs, long skewMs) {
      long until = mayLastUntil(knownMs);
      boolean isInTime = ms < dueMs + until - firedMs + skewMs;
      return ms < until && (isInTime || (!replays(other) && ms >= firedMs - skewMs));
    }

    /** How long it has lasted at most. */
    long longest(long knownMs) {
      return endMs(knownMs) - firedMs;
    }

    /** When it ended by what is reported, or else at the latest. */
    long endMs(long knownMs) {
      return Math.min(mayLastUntil(knownMs), endKnownMs);
    }
  }

  /** With the fires of the trigger by accepted revisions, and the reports that name them. */
  JudgedRuns(Dossier dossier) {
    this.terms = dossier.terms;
    this.way = dossier.way;
    this.readMs = terms.patience().readMs();
    this.resumes = dossier.orders.resumes().stream().map(Entry::appendedMs).toList();
    for (Entry<Fire> entry : dossier.evidence.fires(dossier.id)) {
      Fire fire = entry.value().orElseThrow();
      if (DecidedOccurrence.isOfTheTrigger(fire)) {
        dossier
            .revised(fire.getRevision())
            .ifPresent(of -> add(of, entry, dossier.evidence.reports(entry.key())));
      }
    }
    complete();
  }

  private void add(Revised of, Entry<Fire> entry, List<Entry<Outcome>> reports) {
    Map<Boolean, List<Entry<Outcome>>> isStart =
        reports.stream()
            .collect(
                Collectors.partitioningBy(
                    report -> report.value().orElseThrow().getState() == OutcomeState.STARTED));
    Fire fire = entry.value().orElseThrow();
    long nominal = fire.getOccurrence().toEpochMilli();
    List<Entry<Outcome>> ends = isStart.getOrDefault(false, List.of());
    runs.add(
        new Run(
            of,
            entry,
            nominal,
            fire.getFiredAt().toEpochMilli(),
            entry.appendedMs(),
            of.definition.overlap() == Overlap.ALLOW ? OptionalLong.empty() : of.timeoutMs(nominal),
            ends,
            ends.stream().mapToLong(this::knownMs).min().orElse(Long.MAX_VALUE),
            isStart.getOrDefault(true, List.of())));
  }

  private long knownMs(Entry<Outcome> end) {
    return way.isStray(end) ? way.knownMs(end).orElse(Long.MAX_VALUE) : end.visibleMs();
  }

  private void complete() {
    runs.sort(
        Comparator.comparingLong(Run::appendedMs).thenComparingLong(run -> run.by().offset()));
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      long afterRun = i == 0 ? 0 : dueMs.get(i - 1) + runs.get(i - 1).longest(run.appendedMs());
      boolean isInTime = !isResumed(run) && run.nominalMs() > run.of().ownsAfterMs();
      long due = isInTime ? Math.max(run.nominalMs(), afterRun) : run.firedMs();
      dueMs.add(Math.min(run.firedMs(), due));
    }
  }

  private static boolean replays(Revised revised) {
    return revised.definition.catchUp() == CatchUp.REPLAY;
  }

  /** What fired and must not have fired then. */
  void judge(Dossier dossier) {
    judgeOrder(dossier);
    for (int i = 1; i < runs.size(); i++) {
      Run before = runs.get(i - 1);
      Run next = runs.get(i);
      if (before.limits(next.of())
          && next.overlap() != Overlap.ALLOW
          && before.ends().stream()
              .noneMatch(end -> end.appendedMs() <= next.appendedMs() + terms.aheadMs())
          && next.firedMs() + terms.aheadMs() < surelyLastsUntil(before, next)) {
        dossier.found(
            Finding.Kind.FORBIDDEN,
            next.nominalMs(),
            "fired at %s, while the fire of %s runs",
            Dossier.at(next.firedMs()),
            Dossier.at(before.nominalMs()));
      }
      Optional<Run> covering =
          isReplayed(next) || isResumed(next) ? Optional.empty() : leavesOut(i);
      covering.ifPresent(
          run ->
              dossier.found(
                  Finding.Kind.FORBIDDEN,
                  next.nominalMs(),
                  "fired at %s, and was due during the run of %s, fired at %s for at most %s ms",
                  Dossier.at(next.firedMs()),
                  Dossier.at(run.nominalMs()),
                  Dossier.at(run.firedMs()),
                  run.timeoutMs().orElse(0)));
    }
  }

  private void judgeOrder(Dossier dossier) {
    List<Run> inPlace = new ArrayList<>(runs);
    inPlace.sort(
        Comparator.<Run>comparingInt(run -> run.by().partition())
            .thenComparingLong(run -> run.by().offset()));
    for (int i = 1; i < inPlace.size(); i++) {
      Run before = inPlace.get(i - 1);
      Run next = inPlace.get(i);
      if (before.of().life == next.of().life
          && !next.of().isOnce()
          && before.by().partition() == next.by().partition()
          && next.nominalMs() <= before.nominalMs()
          && !isResumed(next)) {
        dossier.found(
            Finding.Kind.DISORDERED,
            next.nominalMs(),
            "fired after %s",
            Dossier.at(before.nominalMs()));
      }
    }
  }

  /** Until when a run without a reported end lasts, by the starts that were surely read in time. */
  private long surelyLastsUntil(Run run, Run next) {
    long until = run.firedMs() + run.timeoutMs().orElse(0);
    for (Entry<Outcome> start : run.starts()) {
      long known = way.knownMs(start).orElse(Long.MAX_VALUE);
      if (terms.aheadMs() == 0 && known < Math.min(until, next.firedMs())) {
        until = Math.max(until, start.timestampMs() + run.timeoutMs().orElse(0));
      }
    }
    return until;
  }

  /** Whether it may be part of a replay, which fires all: it was older than its grace. */
  private boolean isReplayed(Run run) {
    return replays(run.of())
        && (run.firedMs() - run.nominalMs() > run.of().definition.graceMs()
            || !terms.health().covers(way.home(), run.nominalMs(), run.nominalMs() + readMs));
  }

  /** Whether it may be the fire of a resume, which comes in any case. */
  private boolean isResumed(Run run) {
    return resumes.stream()
        .anyMatch(resume -> resume <= run.appendedMs() && run.nominalMs() <= resume + readMs);
  }

  /**
   * The run for whose sake an occurrence had to be missed: SKIP misses all that is due during a
   * run, BUFFER_ONE all but the first.
   */
  private Optional<Run> leavesOut(int index) {
    Run late = runs.get(index);
    Run before = runs.get(index - 1);
    if (late.nominalMs() < late.of().beganMs) {
      return Optional.empty(); // its definition came after the run
    }
    if (collapsesWhatWaited(late, before)) {
      return Optional.empty();
    }
    return switch (late.overlap()) {
      case ALLOW -> Optional.empty();
      case SKIP -> Optional.of(before).filter(run -> run.surelyCovers(late, terms.aheadMs()));
      case BUFFER_ONE ->
          index == 1
              ? Optional.empty()
              : Optional.of(runs.get(index - 2))
                  .filter(
                      run ->
                          run.surelyCovers(late, terms.aheadMs())
                              && run.surelyCovers(before, terms.aheadMs()))
                  .filter(
                      run -> late.firedMs() < run.surelyEndedMs() + late.of().definition.graceMs());
    };
  }

  /**
   * Whether a fire collapses with occurrences that were due before a run began and have waited for
   * its end, beyond their grace: it is the newest that is due by then.
   */
  private static boolean collapsesWhatWaited(Run late, Run run) {
    Revised of = late.of();
    long after = Math.max(of.ownsAfterMs(), run.nominalMs());
    long through = Math.min(run.firedMs(), late.firedMs() - of.definition.graceMs()) - 1;
    return of.definition.catchUp() == CatchUp.COLLAPSE
        && through > after
        && !of.in(after, through).isEmpty();
  }

  /**
   * Whether the run of an earlier fire may have lasted until an occurrence, as far as a scheduler
   * knew when it decided that.
   */
  boolean mayOverlap(Revised of, DecidedOccurrence outcome) {
    for (int i = lastUntil(outcome.appendedMs()); i >= 0; i--) {
      Run run = runs.get(i);
      boolean isOfSameTick = run.appendedMs() == outcome.appendedMs();
      if (!isOfSameTick || run.nominalMs() < outcome.nominalMs()) {
        if (run.limits(of)
            && run.mayCover(
                of, outcome.nominalMs(), dueMs.get(i), outcome.appendedMs(), terms.aheadMs())
            && run.ends().stream().noneMatch(end -> wasRead(end, outcome))) {
          return true;
        }
        if (!isOfSameTick) {
          return false;
        }
      }
    }
    return false;
  }

  /** The scheduler has surely read a report that the run had ended before an occurrence. */
  private boolean wasRead(Entry<Outcome> end, DecidedOccurrence outcome) {
    return end.timestampMs() <= outcome.nominalMs() && way.isKnown(end, outcome.decidedMs());
  }

  /** The last run that was appended at a time or before; -1 without one. */
  private int lastUntil(long ms) {
    int low = 0;
    int high = runs.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (runs.get(middle).appendedMs() <= ms) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /**
   * Until when a run before it may have held a fire back; 0 if none did. What was held may come in
   * several ticks, so the fires of the last moments are no reason to stop.
   */
  long heldUntil(Revised of, DecidedOccurrence fire) {
    for (int i = lastUntil(fire.appendedMs() - 1); i >= 0; i--) {
      Run run = runs.get(i);
      if (mayHoldBack(run, of, fire.nominalMs())) {
        return run.endMs(fire.appendedMs());
      }
      if (run.appendedMs() < fire.appendedMs() - readMs) {
        return 0;
      }
    }
    return 0;
  }

  /** Whether the run of the last fire may hold an occurrence back at the end of the world. */
  boolean holdsAtEnd(Revised of, long nominalMs) {
    if (runs.isEmpty()) {
      return false;
    }
    Run last = runs.get(runs.size() - 1);
    return mayHoldBack(last, of, nominalMs)
        && last.nominalMs() < nominalMs
        && last.endMs(terms.endMs()) >= terms.endMs() - readMs;
  }

  /**
   * What was due before the run began waits for its end, and so does what comes after that. A
   * replay of the revision of the run holds back what newer revisions own, too.
   */
  private boolean mayHoldBack(Run run, Revised of, long nominalMs) {
    return run.limits(of)
        && (nominalMs <= of.ownsAfterMs()
            || nominalMs <= run.firedMs()
            || leavesBehind(run, of)
            || mayHoldBack(of)
            || mayHoldBack(run.of()));
  }

  /** Whether the run was so late that the next occurrence was due before it began. */
  private static boolean leavesBehind(Run run, Revised of) {
    OptionalLong next = of.times().next(Math.max(run.nominalMs(), of.ownsAfterMs()));
    return next.isPresent() && next.getAsLong() <= run.firedMs();
  }

  /** SKIP misses what is due during a run at once, but for replays and resumes. */
  private boolean mayHoldBack(Revised revised) {
    return switch (revised.definition.overlap()) {
      case ALLOW -> false;
      case SKIP -> replays(revised) || !resumes.isEmpty();
      case BUFFER_ONE -> true;
    };
  }
}
