package io.waterclock.topology.scheduler.decide;

import io.waterclock.definition.CommandValidation;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.topology.scheduler.model.Accepted;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.model.Timetables;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Executes Skip and Unskip of single occurrences. */
record Skipping(Timetables tables, CommandReplies replies) {
  private static final String OCCURRENCE = "occurrence";

  Decision skip(ScheduleState state, Instant at) {
    List<Instant> skips = state.commanded().skips();
    if (skips.contains(at)) {
      return replies.unchanged(state);
    }
    Optional<Accepted> owner = owner(state, at);
    if (owner.isEmpty()) {
      return notToCome(state, at);
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

  Decision unskip(ScheduleState state, Instant at) {
    List<Instant> skips = state.commanded().skips();
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

  /** The revision that owns the occurrence and has not decided it. */
  private Optional<Accepted> owner(ScheduleState state, Instant at) {
    ScheduleState rest = state;
    while (true) {
      Optional<Instant> through = rest.headOwnsThrough();
      boolean owned =
          at.isAfter(rest.decidedThrough())
              && (through.isEmpty() || !at.isAfter(through.get()))
              && tables.of(rest.id(), rest.head()).isOccurrence(at);
      if (owned) {
        return Optional.of(rest.head());
      }
      if (rest.older().isEmpty()) {
        return Optional.empty();
      }
      rest = rest.withoutHead();
    }
  }

  private Decision notToCome(ScheduleState state, Instant at) {
    Timetable table = tables.of(state.id(), state.current());
    Instant decided = state.older().isEmpty() ? state.decidedThrough() : at;
    Optional<Instant> before =
        table.lastOwned(at).filter(earlier -> earlier.isAfter(decided) && !earlier.equals(at));
    Optional<Instant> after =
        table
            .nextAfter(at.isAfter(state.decidedThrough()) ? at : state.decidedThrough())
            .map(Occurrence::at);
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
