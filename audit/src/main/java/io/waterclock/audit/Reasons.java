package io.waterclock.audit;

import io.waterclock.definition.Exclusions;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OverlappedRun;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.policy.CatchUpPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Examines the reasons of the missed ranges of one life of a schedule, by what they name. It says
 * something only of ranges that the records contradict: what retention or compaction may have
 * removed is no contradiction.
 */
final class Reasons {
  private final Ledger ledger;
  private final List<Revision> life;
  private final Window window;
  private final Set<Fires.Fired> fires;

  /**
   * @param life not empty
   * @param window the time for which the records are complete
   */
  Reasons(Ledger ledger, List<Revision> life, Window window) {
    this.ledger = ledger;
    this.life = life;
    this.window = window;
    this.fires = ledger.namedFires();
  }

  /**
   * What is wrong with the reason of a range, for people.
   *
   * @param schedule the definition of its revision
   */
  Optional<String> problem(Missed range, Schedule schedule) {
    Instant decided = range.getDecidedAt();
    if (!decided.isAfter(window.after()) || decided.isAfter(window.through())) {
      return Optional.empty();
    }
    return switch (range.getReason()) {
      case OVERLAP -> overlap(range, schedule);
      case PAUSED -> paused(range);
      case GRACE -> grace(range, schedule);
      case COLLAPSED_INTO -> collapsed(range);
      case OUT_OF_WINDOW, SKIPPED, DELETED, EXPIRED -> Optional.empty();
    };
  }

  private Optional<String> overlap(Missed range, Schedule schedule) {
    OverlappedRun run = range.getRun();
    if (run == null) {
      return Optional.of("missed OVERLAP, but names no run");
    }
    boolean isKnown =
        run.getFiredAt().isAfter(window.after())
            && !run.getFiredAt().isBefore(life.get(0).getAcceptedAt());
    if (isKnown && !wasDecided(run.getOccurrence(), run.getFiredAt())) {
      return Optional.of(
          "missed OVERLAP for the run of %s, but no fire of %s began at %s"
              .formatted(run.getOccurrence(), run.getOccurrence(), run.getFiredAt()));
    }
    boolean isCovered =
        mayCover(run, range.getFirst(), range, schedule)
            && mayCover(run, range.getLast(), range, schedule);
    return isCovered
        ? Optional.empty()
        : Optional.of(
            "missed OVERLAP, but not due during the run of %s from %s, which %s"
                .formatted(
                    run.getOccurrence(),
                    run.getFiredAt(),
                    run.getEndedAt() == null
                        ? "still ran at " + range.getDecidedAt()
                        : "ended at " + run.getEndedAt()));
  }

  /** Whether a fire was decided then: it has fired, or it has waited for a limit and is missed. */
  private boolean wasDecided(Instant occurrence, Instant at) {
    return fires.contains(new Fires.Fired(occurrence, at))
        || (life.stream().anyMatch(each -> each.getSchedule().getLimit() != null)
            && ledger.mayHaveWaited(occurrence, at));
  }

  /**
   * Whether an occurrence may have been due during a run as it would have been with every fire in
   * time or, without REPLAY, as it was.
   */
  private static boolean mayCover(
      OverlappedRun run, Instant occurrence, Missed range, Schedule schedule) {
    Instant end =
        Optional.ofNullable(run.getEndedAt()).orElseGet(() -> range.getDecidedAt().plusMillis(1));
    Instant due = Optional.ofNullable(run.getDueAt()).orElse(run.getOccurrence());
    if (due.isAfter(run.getFiredAt()) || !occurrence.isBefore(end)) {
      return false;
    }
    Instant inTime = due.plus(Duration.between(run.getFiredAt(), end));
    return occurrence.isBefore(inTime)
        || (!CatchUpPolicy.of(schedule).firesEach()
            && mayBeDueFrom(run.getFiredAt(), occurrence, schedule));
  }

  /** Jitter and calendars make an occurrence due later than it is named. */
  private static boolean mayBeDueFrom(Instant from, Instant occurrence, Schedule schedule) {
    boolean moves = Exclusions.moves(schedule);
    return moves || !occurrence.plusMillis(schedule.getJitterMs()).isBefore(from);
  }

  private Optional<String> paused(Missed range) {
    Instant since = range.getPausedSince();
    if (since == null) {
      return Optional.of("missed PAUSED, but names no pause");
    }
    if (since.isAfter(range.getDecidedAt().plus(Stop.SLACK))) {
      return Optional.of(
          "missed PAUSED at %s, but paused only since %s".formatted(range.getDecidedAt(), since));
    }
    boolean isDefined =
        life.stream()
            .anyMatch(
                each -> !each.getSchedule().getEnabled() && since.equals(each.getEffectiveAt()));
    return isDefined || !ledger.wasSurelyActiveAt(since)
        ? Optional.empty()
        : Optional.of("missed PAUSED, but nothing paused it since " + since);
  }

  private static Optional<String> grace(Missed range, Schedule schedule) {
    long graceMs = schedule.getGraceMs();
    if (CatchUpPolicy.of(schedule).rest() != MissedReason.GRACE) {
      return Optional.of("missed GRACE, but its definition says " + schedule.getCatchUp());
    }
    if (range.getGraceMs() != null && range.getGraceMs() != graceMs) {
      return Optional.of(
          "missed GRACE of %s ms, but its definition says %s ms"
              .formatted(range.getGraceMs(), graceMs));
    }
    return range.getDecidedAt().isAfter(range.getLast().plusMillis(graceMs))
        ? Optional.empty()
        : Optional.of(
            "missed GRACE at %s, within its grace of %s ms"
                .formatted(range.getDecidedAt(), graceMs));
  }

  private Optional<String> collapsed(Missed range) {
    Instant into = range.getCollapsedInto();
    if (into == null) {
      return Optional.of("missed COLLAPSED_INTO, but names no fire");
    }
    return wasDecided(into, range.getDecidedAt())
        ? Optional.empty()
        : Optional.of(
            "missed COLLAPSED_INTO %s, but no fire of it came at %s"
                .formatted(into, range.getDecidedAt()));
  }
}
