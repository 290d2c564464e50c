package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.MissedRange.Why;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.occurrences.core.Count;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Finds the undecided occurrences of a schedule, and writes off ranges of them.
 *
 * <p>A range may have any number of occurrences and excluded dates, and the cost of a decision must
 * not depend on it. So a range is {@linkplain #cut cut} only up to a bound: the next tick continues
 * the rest. If a decision must write off all at once, the rest is one stretch.
 */
record Undecided(Timetables tables) {
  /**
   * The largest number of stretches in one decision: ten years of weekends. Each becomes a record.
   */
  static final int MOST_STRETCHES = 1_000;

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

  /** Removes the oldest revisions without undecided occurrences. Costs a search for each. */
  ScheduleState settle(ScheduleState state) {
    ScheduleState settled = state;
    while (!settled.older().isEmpty()
        && (settled.isHeld() || tables.firstOfHead(settled).isEmpty())) {
      settled = settled.withoutHead();
    }
    return settled;
  }

  /**
   * Forgets a run with a reported end, once all occurrences due before its end are decided: it no
   * longer affects any. In a pause it stays: whether it went on when the pause began matters later.
   */
  ScheduleState forgetEndedRun(ScheduleState settled) {
    Optional<Run> run = settled.runs().latest();
    if (run.isEmpty()
        || !run.get().ended()
        || settled.fault().isPresent()
        || settled.commanded().pause().isPresent()) {
      return settled;
    }
    Optional<Occurrence> first = firstOfHead(settled);
    return first.isPresent() && first.get().due().isBefore(run.get().endsAt())
        ? settled
        : settled.with(settled.runs().over());
  }

  /** The next occurrence of a settled schedule; empty when it is paused, faulted or complete. */
  Optional<Pending> pending(ScheduleState settled) {
    if (settled.fault().isPresent()) {
      return Optional.empty();
    }
    boolean carries = !settled.carried().isEmpty();
    boolean mayWait = settled.runs().latest().isPresent();
    Optional<Occurrence> first = carries && !mayWait ? Optional.empty() : firstOfHead(settled);
    Optional<Occurrence> waiting = first.map(at -> heldBack(settled, at));
    Optional<Instant> heldSince =
        first
            .map(Occurrence::due)
            .filter(due -> mayWait && waiting.filter(held -> held.due().isAfter(due)).isPresent());
    if (carries) {
      Instant at = settled.carried().get(0).first();
      return Optional.of(Pending.of(new Occurrence(at, at), heldSince));
    }
    return waiting.map(next -> Pending.of(next, heldSince));
  }

  /**
   * The first undecided occurrences that will fire, without those that the skip list, a command or
   * a calendar leaves out. None when the schedule is paused, faulted or complete; fewer when the
   * effort has no reserve. Costs a search for each, and for each skipped one.
   *
   * @param most from 1
   * @param after exclusive: only later ones
   */
  List<Occurrence> toFire(ScheduleState settled, int most, Instant after) {
    if (settled.isHeld() || settled.fault().isPresent()) {
      return List.of();
    }
    List<Occurrence> found = new ArrayList<>();
    if (!settled.carried().isEmpty()) {
      pending(settled)
          .flatMap(Pending::next)
          .filter(it -> it.at().isAfter(after))
          .ifPresent(found::add);
    }
    ScheduleState rest = settled;
    addToFireOfHead(rest, most, after, found);
    while (found.size() < most && !rest.older().isEmpty() && tables.effort().hasReserve()) {
      rest = rest.withoutHead();
      addToFireOfHead(rest, most, after, found);
    }
    return found;
  }

  private void addToFireOfHead(
      ScheduleState state, int most, Instant after, List<Occurrence> found) {
    Timetable table = tables.ofHead(state);
    Optional<Instant> through = state.headOwnsThrough();
    Instant decided = state.decidedThrough();
    Instant cursor = decided.isBefore(after) ? after : decided;
    while (found.size() < most && tables.effort().hasReserve()) {
      Optional<Occurrence> next = table.nextNotLeftOut(cursor);
      if (next.isEmpty() || through.filter(next.get().at()::isAfter).isPresent()) {
        return;
      }
      cursor = next.get().at();
      if (!state.isSkipped(state.head(), cursor)) {
        found.add(next.get());
      }
    }
  }

  /**
   * The first undecided occurrence; if it must wait for a run, it is due when that is over, and if
   * the end of a pause lets it fire, from then on: what was written before that may be unread.
   */
  Occurrence heldBack(ScheduleState state, Occurrence first) {
    Optional<Run> run = Overlaps.of(state, first);
    Instant due =
        run.isEmpty() || isLeftOut(state, state.head(), tables.ofHead(state), first.at())
            ? first.due()
            : Overlaps.decidedAt(state, first, run.get());
    Optional<Instant> allowed = state.allowedAt(first.at());
    return allowed.filter(due::isBefore).isPresent() || !due.equals(first.due())
        ? new Occurrence(first.at(), Instants.later(due, allowed))
        : first;
  }

  /**
   * True for a Once whose instant is in the current pause: it fires on resume.
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
   * The occurrences from a left-out one on, as far as the same calendars leave them out.
   *
   * @param last inclusive: the end of the search
   */
  Stretch leftOutFrom(Timetable table, Instant first, Instant last) {
    Instant through = table.isLeftOut(first) ? table.spans(first, last, 1).get(0).last() : first;
    return new Stretch(table, first, through, true);
  }

  /** A stretch of consecutive occurrences, all or none of which are left out. */
  record Stretch(Timetable table, Instant first, Instant last, boolean skipped) {

    /** May cost a search for each occurrence. */
    Count count() {
      return table.count(first, last);
    }

    MissedRange missed(String revision, Why why) {
      Count count = count();
      return new MissedRange(
          revision,
          first,
          last,
          count.value(),
          count.exact(),
          skipped ? Why.of(MissedReason.SKIPPED) : why);
    }
  }

  /**
   * The stretches of a range from its first occurrence on.
   *
   * @param stretches at least one
   * @param isWhole false when the range continues after the last of them
   */
  record Cut(List<Stretch> stretches, boolean isWhole) {

    /** The last occurrence of the cut. */
    Instant through() {
      return stretches.get(stretches.size() - 1).last();
    }

    /** The last occurrence that is not left out. */
    Optional<Instant> lastToFire() {
      return stretches.stream()
          .filter(stretch -> !stretch.skipped())
          .reduce((a, b) -> b)
          .map(Stretch::last);
    }
  }

  /**
   * The occurrences of a revision from {@code first} to {@code last}, both inclusive, cut into
   * stretches at the occurrences that calendars, its skip list and commands leave out; up to {@link
   * #MOST_STRETCHES} and the reserve of the effort.
   */
  Cut cut(CommandState commanded, Accepted revision, Timetable table, Instant first, Instant last) {
    List<Instant> skips = commanded.skipsWith(revision.schedule().getSkip());
    List<Stretch> result = new ArrayList<>(1);
    for (Timetable.Span span : table.spans(first, last, MOST_STRETCHES)) {
      if (result.size() >= MOST_STRETCHES) {
        break;
      }
      if (span.leftOut()) {
        result.add(new Stretch(table, span.first(), span.last(), true));
      } else {
        cutAtSkips(skips, table, span.first(), span.last(), result);
        if (result.get(result.size() - 1).last().isBefore(span.last())) {
          break;
        }
      }
    }
    Instant through = result.get(result.size() - 1).last();
    return new Cut(result, !through.isBefore(last));
  }

  /** As {@link #cut}, to the end: the rest is one stretch that counts as not left out. */
  List<Stretch> stretches(
      CommandState commanded, Accepted revision, Timetable table, Instant first, Instant last) {
    Cut cut = cut(commanded, revision, table, first, last);
    if (cut.isWhole()) {
      return cut.stretches();
    }
    List<Stretch> all = new ArrayList<>(cut.stretches());
    all.add(new Stretch(table, table.next(cut.through()).orElseThrow(), last, false));
    return all;
  }

  /**
   * The occurrence before the newest {@code most} that are not left out, or before fewer if the
   * effort has no reserve; empty if there are no more.
   *
   * @param first inclusive
   * @param last inclusive: an occurrence
   * @param most from 0
   */
  Optional<Instant> lastBeforeNewest(
      CommandState commanded,
      Accepted revision,
      Timetable table,
      Instant first,
      Instant last,
      long most) {
    if (most == 0) {
      return Optional.of(last);
    }
    List<Stretch> stretches = stretches(commanded, revision, table, first, last);
    long wanted = most;
    for (int i = stretches.size() - 1; i >= 0; i--) {
      Stretch stretch = stretches.get(i);
      if (stretch.skipped()) {
        continue;
      }
      Optional<Instant> oldest = table.nthBack(stretch.last(), wanted, stretch.first());
      if (oldest.isPresent()) {
        return table.previous(oldest.get()).filter(at -> !at.isBefore(first));
      }
      if (i > 0) {
        long counted = table.count(stretch.first(), stretch.last(), wanted).value();
        wanted = Math.max(1, wanted - counted);
      }
    }
    return Optional.empty();
  }

  /**
   * Adds stretches from {@code first} on; before {@code last} it ends only after {@link
   * #MOST_STRETCHES} or with the reserve of the effort. Skips between two occurrences cost one
   * search.
   */
  private void cutAtSkips(
      List<Instant> skips, Timetable table, Instant first, Instant last, List<Stretch> result) {
    Instant from = first;
    Instant nearest = first;
    int found = Collections.binarySearch(skips, first);
    for (int i = found < 0 ? -found - 1 : found; i < skips.size(); i++) {
      Instant skip = skips.get(i);
      if (skip.isAfter(last)) {
        break;
      }
      if (skip.isBefore(nearest)) {
        continue;
      }
      if (skip.isAfter(from)) {
        boolean isLast = !tables.effort().hasReserve();
        nearest = isLast ? skip : table.next(skip.minusMillis(1)).orElse(Instant.MAX);
        if (!nearest.equals(skip)) {
          continue;
        }
        result.add(new Stretch(table, from, table.previous(skip).orElseThrow(), false));
        if (isLast) {
          return;
        }
      }
      result.add(new Stretch(table, skip, skip, true));
      Optional<Instant> next = table.next(skip);
      if (next.isEmpty() || result.size() >= MOST_STRETCHES || !tables.effort().hasReserve()) {
        return;
      }
      from = next.get();
      nearest = from;
    }
    if (!from.isAfter(last)) {
      result.add(new Stretch(table, from, last, false));
    }
  }

  /**
   * Writes off all undecided occurrences.
   *
   * @param through inclusive: the end of the current revision's ownership
   */
  List<MissedRange> writeOff(ScheduleState state, Instant through, Why reason) {
    List<MissedRange> missed = new ArrayList<>();
    state.carried().forEach(carried -> missed.add(carried.missed(reason)));
    ScheduleState rest = state;
    while (true) {
      Accepted head = rest.head();
      Instant bound = rest.headOwnsThrough().orElse(through);
      Optional<Instant> first = tables.firstOfHead(rest).filter(at -> !at.isAfter(bound));
      Why why = rest.isHeld() ? Why.paused(rest.heldSince()) : reason;
      if (first.isPresent()) {
        Timetable table = tables.ofHead(rest);
        Instant last = table.lastOwned(bound).orElseThrow();
        for (Stretch stretch : stretches(rest.commanded(), head, table, first.get(), last)) {
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
