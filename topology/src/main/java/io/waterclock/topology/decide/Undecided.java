package io.waterclock.topology.decide;

import io.waterclock.occurrences.Count;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnceTrigger;
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
    if (state.isHeld()) {
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

  /**
   * Forgets a run whose end was reported, once all that came due before its end is decided: it
   * bears on nothing any more.
   */
  ScheduleState forgetEndedRun(ScheduleState settled) {
    Optional<Run> run = settled.runs().latest();
    if (run.isEmpty() || !run.get().ended() || settled.fault().isPresent()) {
      return settled;
    }
    Optional<Occurrence> first = firstOfHead(settled);
    return first.isPresent() && first.get().due().isBefore(run.get().endsAt())
        ? settled
        : settled.with(settled.runs().over());
  }

  /** What a settled schedule waits for; empty when it is paused, parked or complete. */
  Optional<Occurrence> pending(ScheduleState settled) {
    if (settled.fault().isPresent()) {
      return Optional.empty();
    }
    if (!settled.carried().isEmpty()) {
      Instant first = settled.carried().get(0).first();
      return Optional.of(new Occurrence(first, first));
    }
    Optional<Occurrence> first = firstOfHead(settled);
    return settled.runs().latest().isEmpty() || first.isEmpty()
        ? first
        : Optional.of(heldBack(settled, first.get()));
  }

  /**
   * The first undecided occurrence that is to fire, not left out by the skip list, a command or a
   * calendar; empty when it is paused, parked or complete. Costs a search for each that is skipped.
   */
  Optional<Occurrence> firstToFire(ScheduleState settled) {
    if (settled.isHeld() || settled.fault().isPresent() || !settled.carried().isEmpty()) {
      return pending(settled);
    }
    ScheduleState rest = settled;
    Optional<Occurrence> first = firstToFireOfHead(rest);
    while (first.isEmpty() && !rest.older().isEmpty()) {
      rest = rest.withoutHead();
      first = firstToFireOfHead(rest);
    }
    return first;
  }

  private Optional<Occurrence> firstToFireOfHead(ScheduleState state) {
    Timetable table = tables.ofHead(state);
    Optional<Instant> through = state.headOwnsThrough();
    Optional<Occurrence> next = table.nextNotLeftOut(state.decidedThrough());
    while (next.isPresent() && state.isSkipped(state.head(), next.get().at())) {
      next = table.nextNotLeftOut(next.get().at());
    }
    return next.filter(first -> through.isEmpty() || !first.at().isAfter(through.get()));
  }

  /** The first undecided occurrence, due at the end of the run that it has to wait for. */
  Occurrence heldBack(ScheduleState state, Occurrence first) {
    Optional<Run> run = Overlaps.of(state, first);
    return run.isEmpty()
            || !Overlaps.isHeldBack(state, first)
            || isLeftOut(state, state.head(), tables.ofHead(state), first.at())
        ? first
        : new Occurrence(first.at(), run.get().endsAt());
  }

  /** Since when a schedule that waits for the end of a run has had something due. */
  Optional<Instant> heldBackSince(ScheduleState settled) {
    if (settled.runs().latest().isEmpty()
        || settled.fault().isPresent()
        || !settled.carried().isEmpty()) {
      return Optional.empty();
    }
    return firstOfHead(settled)
        .filter(first -> heldBack(settled, first).due().isAfter(first.due()))
        .map(Occurrence::due);
  }

  /**
   * True for a Once whose instant fell into the pause that holds it: it fires on resume.
   *
   * @param through inclusive
   */
  boolean isHeldOnce(ScheduleState state, Instant through) {
    return state.isHeld()
        && state.current().schedule().getTrigger() instanceof OnceTrigger
        && tables
            .of(state.id(), state.current())
            .nextAfter(state.decidedThrough())
            .filter(occurrence -> !occurrence.at().isAfter(through))
            .isPresent();
  }

  /** True when the skip list, a command or a calendar leaves an occurrence out. */
  static boolean isLeftOut(ScheduleState state, Accepted revision, Timetable table, Instant at) {
    return state.isSkipped(revision, at) || table.isLeftOut(at);
  }

  /**
   * The occurrences from one that is left out on, as far as the same calendars leave them out.
   *
   * @param last inclusive: no occurrence after this one is looked at
   */
  Stretch leftOutFrom(Timetable table, Instant first, Instant last) {
    Instant through = table.isLeftOut(first) ? table.spans(first, last, 1).get(0).last() : first;
    return new Stretch(first, through, table.count(first, through), true);
  }

  /** A stretch of consecutive occurrences, all or none of which are left out. */
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

  /**
   * The occurrences of a revision from {@code first} to {@code last}, both inclusive, cut where the
   * calendars, its skip list and commands leave some out.
   */
  List<Stretch> stretches(
      Orders orders, Accepted revision, Timetable table, Instant first, Instant last) {
    List<Stretch> result = new ArrayList<>(1);
    for (Timetable.Span span : table.spans(first, last, Integer.MAX_VALUE)) {
      if (span.leftOut()) {
        Count count = table.count(span.first(), span.last());
        result.add(new Stretch(span.first(), span.last(), count, true));
      } else {
        cutAtSkips(
            orders.skipsWith(revision.schedule().getSkip()),
            table,
            span.first(),
            span.last(),
            result);
      }
    }
    return result;
  }

  /**
   * The occurrence before the newest {@code most} that are not left out; empty where there are no
   * more than that.
   *
   * @param first inclusive
   * @param last inclusive
   */
  Optional<Instant> lastBeforeNewest(
      Orders orders, Accepted revision, Timetable table, Instant first, Instant last, long most) {
    List<Stretch> stretches = stretches(orders, revision, table, first, last);
    long wanted = most;
    for (int i = stretches.size() - 1; i >= 0; i--) {
      Stretch stretch = stretches.get(i);
      if (stretch.skipped()) {
        continue;
      }
      Optional<Instant> oldest =
          table.nthBack(stretch.last(), wanted).filter(at -> !at.isBefore(stretch.first()));
      if (oldest.isPresent()) {
        return table.previous(oldest.get()).filter(at -> !at.isBefore(first));
      }
      wanted -= table.count(stretch.first(), stretch.last(), wanted).value();
    }
    return Optional.empty();
  }

  private static void cutAtSkips(
      List<Instant> skips, Timetable table, Instant first, Instant last, List<Stretch> result) {
    Instant from = first;
    for (Instant skip : skips) {
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
        return;
      }
      from = next.get();
    }
    if (!from.isAfter(last)) {
      result.add(new Stretch(from, last, table.count(from, last), false));
    }
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
      Timetable table = tables.ofHead(rest);
      Optional<Instant> first =
          table
              .nextAfter(rest.decidedThrough())
              .map(Occurrence::at)
              .filter(at -> !at.isAfter(bound));
      MissedReason why = rest.isHeld() ? MissedReason.PAUSED : reason;
      if (first.isPresent()) {
        Instant last = table.lastOwned(bound).orElseThrow();
        for (Stretch stretch : stretches(rest.orders(), head, table, first.get(), last)) {
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
