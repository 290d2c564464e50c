package io.waterclock.topology.decide;

import io.waterclock.occurrences.Count;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is still to be decided of a schedule, and how ranges of it are written off. */
final class Undecided {
  private final Timetables tables;

  Undecided(Timetables tables) {
    this.tables = tables;
  }

  /** The first undecided occurrence of the head revision, if it owns one. */
  Optional<Occurrence> firstOfHead(ScheduleState state) {
    Accepted head = state.head();
    if (!head.enabled()) {
      return Optional.empty();
    }
    Optional<Occurrence> first = tables.ofHead(state).nextAfter(state.decidedThrough());
    Optional<Instant> through = state.headOwnsThrough();
    return first.isPresent() && through.isPresent() && first.get().at().isAfter(through.get())
        ? Optional.empty()
        : first;
  }

  /** Leaves behind the replaced revisions of which nothing is undecided any more. */
  ScheduleState settle(ScheduleState state) {
    ScheduleState settled = state;
    while (!settled.older().isEmpty() && firstOfHead(settled).isEmpty()) {
      settled = settled.withoutHead();
    }
    return settled;
  }

  /** What a settled schedule waits for; empty when it is disabled, parked or complete. */
  Optional<Occurrence> pending(ScheduleState settled) {
    if (settled.fault().isPresent()) {
      return Optional.empty();
    }
    return settled.carried().isEmpty()
        ? firstOfHead(settled)
        : Optional.of(
            new Occurrence(settled.carried().get(0).first(), settled.carried().get(0).first()));
  }

  /** A stretch of consecutive occurrences, all or none of which are on the skip list. */
  record Stretch(Instant first, Instant last, Count count, boolean skipped) {
    MissedRange missed(String revision, MissedReason reason) {
      return new MissedRange(
          revision,
          first,
          last,
          count.value(),
          count.exact(),
          skipped ? MissedReason.SKIPPED : reason,
          Optional.empty());
    }
  }

  /** The occurrences from {@code first} to {@code last}, both inclusive, cut at the skip list. */
  List<Stretch> stretches(Accepted revision, Timetable table, Instant first, Instant last) {
    List<Stretch> result = new ArrayList<>(1);
    Instant from = first;
    for (Instant skip : revision.schedule().getSkip()) {
      if (skip.isBefore(from) || skip.isAfter(last) || !table.isOccurrence(skip)) {
        continue;
      }
      if (skip.isAfter(from)) {
        Instant before = table.previous(skip).orElseThrow();
        result.add(new Stretch(from, before, table.count(from, before), false));
      }
      result.add(new Stretch(skip, skip, new Count(1, true), true));
      Optional<Instant> next = table.next(skip);
      if (next.isEmpty()) {
        return result;
      }
      from = next.get();
    }
    if (!from.isAfter(last)) {
      result.add(new Stretch(from, last, table.count(from, last), false));
    }
    return result;
  }

  /**
   * Writes off everything undecided.
   *
   * @param through inclusive: what the current revision owns ends here
   */
  List<MissedRange> writeOff(ScheduleState state, Instant through, MissedReason reason) {
    List<MissedRange> missed = new ArrayList<>();
    for (Carried carried : state.carried()) {
      missed.add(
          new MissedRange(
              carried.revision(),
              carried.first(),
              carried.last().at(),
              carried.count(),
              carried.exact(),
              reason,
              Optional.empty()));
    }
    ScheduleState rest = state;
    while (true) {
      Accepted head = rest.head();
      Instant bound = rest.headOwnsThrough().orElse(through);
      Timetable table = tables.of(rest.id(), head);
      Optional<Instant> first =
          table
              .nextAfter(rest.decidedThrough())
              .map(Occurrence::at)
              .filter(at -> !at.isAfter(bound));
      MissedReason why = head.enabled() ? reason : MissedReason.PAUSED;
      if (first.isPresent()) {
        Instant last = table.lastOwned(bound).orElseThrow();
        for (Stretch stretch : stretches(head, table, first.get(), last)) {
          missed.add(stretch.missed(head.revision(), why));
        }
      }
      if (rest.older().isEmpty()) {
        return missed;
      }
      rest = rest.withoutHead();
    }
  }
}
