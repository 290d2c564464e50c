package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.CommandValidation;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Executes Skip and Unskip of single occurrences. An occurrence that was due when the command was
 * written is past, whether it is decided or not: a scheduler that was up would have decided it.
 * Only those that a pause or a run held back then were to come.
 */
record Skipping(Timetables tables, Undecided undecided, CommandReplies replies) {
  private static final String OCCURRENCE = "occurrence";

  /**
   * @param written when the command was written
   */
  Decision skip(ScheduleState state, Instant at, Instant written) {
    List<Instant> skips = state.commanded().skips();
    if (skips.contains(at)) {
      return replies.unchanged(state);
    }
    Optional<Accepted> owner =
        owner(state, at).filter(it -> isToCome(it, at, written)).map(ScheduleState::head);
    if (owner.isEmpty()) {
      return notToCome(state, at, written);
    }
    if (owner.get().schedule().getSkip().contains(at)) {
      return replies.unchanged(state);
    }
    if (skips.size() >= CommandValidation.MAX_SKIPS) {
      return replies.refused(
          state,
          "skip",
          skips.size() + " occurrences are skipped already, and no more can be",
          "a definition whose trigger leaves them out");
    }
    return replies.executed(
        state.with(
            state
                .commanded()
                .skipping(Stream.concat(skips.stream(), Stream.of(at)).sorted().toList())));
  }

  /**
   * @param written when the command was written
   */
  Decision unskip(ScheduleState state, Instant at, Instant written) {
    List<Instant> skips = state.commanded().skips();
    if (owner(state, at).filter(it -> !isToCome(it, at, written)).isPresent()) {
      return notToCome(state, at, written);
    }
    if (skips.contains(at)) {
      return replies.executed(
          state.with(
              state
                  .commanded()
                  .skipping(skips.stream().filter(other -> !other.equals(at)).toList())));
    }
    if (state.current().schedule().getSkip().contains(at)) {
      return replies.refused(
          state,
          OCCURRENCE,
          at + " is left out by the definition, not by a command",
          "a definition without it");
    }
    return replies.refused(
        state,
        OCCURRENCE,
        "no command skips %s; %s"
            .formatted(
                at,
                skips.isEmpty()
                    ? "none is skipped"
                    : "skipped: "
                        + skips.stream().map(Instant::toString).collect(Collectors.joining(", "))),
        skips.stream().findFirst().map(Instant::toString));
  }

  private boolean isToCome(ScheduleState owning, Instant at, Instant written) {
    return owning.isHeld()
        || tables
            .ofHead(owning)
            .nextAfter(at.minusMillis(1))
            .filter(occurrence -> decidedInTime(owning, occurrence).isAfter(written))
            .isPresent();
  }

  /** When it is decided, or would be if all fires had been in time. */
  private Instant decidedInTime(ScheduleState owning, Occurrence occurrence) {
    Instant decided = undecided.heldBack(owning, occurrence).due();
    Duration late = owning.runs().latest().map(Run::delay).orElse(Duration.ZERO);
    Instant inTime = decided.minus(late);
    return inTime.isBefore(occurrence.due()) ? occurrence.due() : inTime;
  }

  /** The state whose head owns the occurrence and has not decided it. */
  private Optional<ScheduleState> owner(ScheduleState state, Instant at) {
    ScheduleState rest = state;
    while (true) {
      Optional<Instant> through = rest.headOwnsThrough();
      boolean owned =
          at.isAfter(rest.decidedThrough())
              && (through.isEmpty() || !at.isAfter(through.get()))
              && tables.of(rest.id(), rest.head()).isOccurrence(at);
      if (owned) {
        return Optional.of(rest);
      }
      if (rest.older().isEmpty()) {
        return Optional.empty();
      }
      rest = rest.withoutHead();
    }
  }

  private Decision notToCome(ScheduleState state, Instant at, Instant written) {
    Timetable table = tables.of(state.id(), state.current());
    Instant past =
        state.isHeld() || state.decidedThrough().isAfter(written)
            ? state.decidedThrough()
            : written;
    Instant decided = state.older().isEmpty() ? past : at;
    Optional<Instant> before =
        table.lastOwned(at).filter(earlier -> earlier.isAfter(decided) && !earlier.equals(at));
    Optional<Instant> after = table.nextAfter(at.isAfter(past) ? at : past).map(Occurrence::at);
    List<Instant> nearest = Stream.of(before, after).flatMap(Optional::stream).toList();
    boolean isPast = table.isOccurrence(at);
    return replies.refused(
        state,
        OCCURRENCE,
        at
            + (isPast ? " is decided already; " : " is not an occurrence to come; ")
            + (nearest.isEmpty()
                ? "none is"
                : (nearest.size() == 1 ? "the nearest is " : "the nearest are ")
                    + nearest.stream().map(Instant::toString).collect(Collectors.joining(" and "))),
        nearest.stream().reduce((earlier, later) -> later).map(Instant::toString));
  }
}
