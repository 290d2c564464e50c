package io.waterclock.definition;

import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The occurrences of one revision with their due instants: its trigger within its bounds, with
 * jitter, and with moves of excluded occurrences if the schedule requests them.
 *
 * <p>Due instants ascend with the occurrences, since jitter is capped before the next occurrence,
 * and an occurrence that would move to the next one or past it is left out instead. So every method
 * except {@link #spans} and {@link #nextNotLeftOut} costs one or two searches of the trigger. Each
 * search spends steps of a meter, see {@link Effort}. Immutable except for the meter; for the
 * meter's thread.
 *
 * @param id the schedule's id, from which its jitter follows
 * @param trigger within the schedule's bounds, metered by {@code effort}
 * @param dueFloor inclusive: nothing is due earlier
 * @param dueCeiling inclusive: jitter and moves end here, but not before the occurrence itself
 * @param ownsAfter exclusive: where the revision's occurrences begin
 */
public record Timetable(
    String id,
    Trigger trigger,
    Optional<Jitter> jitter,
    Optional<Instant> dueFloor,
    Optional<Instant> dueCeiling,
    Instant ownsAfter,
    Optional<Exclusions> exclusions,
    Effort effort) {
  /** Counting by steps stops here; the range stays exact, the count becomes a lower bound. */
  public static final long COUNT_LIMIT = 10_000;

  /**
   * The same for a replaced revision: jitter and moves stay before the first occurrence of a
   * younger revision.
   *
   * @param next the first occurrence that a younger revision owns
   */
  public Timetable before(Optional<Instant> next) {
    return next.isEmpty()
        ? this
        : new Timetable(id, trigger, jitter, dueFloor, next, ownsAfter, exclusions, effort);
  }

  /** The first occurrence that the revision owns strictly after {@code cursor}. */
  public Optional<Occurrence> nextAfter(Instant cursor) {
    Instant from = Instants.later(cursor, ownsAfter);
    Optional<Instant> at = next(from);
    return at.isEmpty() ? Optional.empty() : Optional.of(occurrence(at.get()));
  }

  /** The first occurrence of the trigger strictly after {@code cursor}, of any owner. */
  public Optional<Occurrence> namedAfter(Instant cursor) {
    return next(cursor).map(this::occurrence);
  }

  /** The last occurrence of the trigger strictly before {@code cursor}, of any owner. */
  public Optional<Occurrence> namedBefore(Instant cursor) {
    return previous(cursor).map(this::occurrence);
  }

  /**
   * The latest occurrence that is due at or before {@code now}.
   *
   * @param ownedThrough inclusive: the end of the revision's ownership
   */
  public Optional<Occurrence> lastDueBy(Instant now, Optional<Instant> ownedThrough) {
    Instant limit = ownedThrough.isPresent() ? Instants.earlier(ownedThrough.get(), now) : now;
    return lastDue(limit, now).filter(last -> last.at().isAfter(ownsAfter));
  }

  /** The latest occurrence of the trigger that is due at or before {@code now}, of any owner. */
  public Optional<Occurrence> lastNamedDueBy(Instant now) {
    return lastDue(now, now);
  }

  private Optional<Occurrence> lastDue(Instant limit, Instant now) {
    Optional<Occurrence> last = upTo(limit).map(this::occurrence);
    while (last.isPresent() && last.get().due().isAfter(now)) {
      last = previous(last.get().at()).map(this::occurrence);
    }
    return last;
  }

  /**
   * The cursor of a schedule with everything due up to an instant decided: the occurrences at or
   * before the result are decided, later ones are not.
   *
   * @param dueThrough inclusive
   */
  public Instant cursorAt(Instant dueThrough) {
    if (jitter.isEmpty() && dueFloor.isEmpty() && !moves()) {
      return Instants.later(dueThrough, ownsAfter);
    }
    return lastDueBy(dueThrough, Optional.empty()).map(Occurrence::at).orElse(ownsAfter);
  }

  /** The latest occurrence of the revision at or before {@code cursor}. */
  public Optional<Instant> lastOwned(Instant cursor) {
    return upTo(cursor).filter(at -> at.isAfter(ownsAfter));
  }

  /**
   * The number of occurrences between two occurrences, both inclusive. Counts step by step up to a
   * limit, while the effort has a reserve.
   */
  public Count count(Instant first, Instant last) {
    return count(first, last, COUNT_LIMIT);
  }

  /** Counts from {@code first} to {@code last}, both inclusive, up to {@code limit}. */
  public Count count(Instant first, Instant last, long limit) {
    effort.spend(1);
    Count count = trigger.count(first.minusMillis(1), last, limit);
    long least = first.equals(last) ? 1 : 2;
    return count.value() < least ? new Count(least, count.exact()) : count;
  }

  /**
   * The n-th occurrence backwards from {@code at}, which counts as the first; empty if it is before
   * {@code notBefore}. A later one if the effort has no reserve left.
   */
  public Optional<Instant> nthBack(Instant at, long n, Instant notBefore) {
    effort.spend(1);
    return trigger.nthAtOrBefore(at, n, notBefore);
  }

  /** The occurrence before {@code at}, of any owner. */
  public Optional<Instant> previous(Instant at) {
    return upTo(at.minusMillis(1));
  }

  /** The occurrence after {@code at}. */
  public Optional<Instant> next(Instant at) {
    effort.spend(1);
    return trigger.nextAfter(at);
  }

  private Optional<Instant> upTo(Instant at) {
    effort.spend(1);
    return trigger.lastAtOrBefore(at);
  }

  public boolean isOccurrence(Instant at) {
    return at.isAfter(ownsAfter) && upTo(at).filter(at::equals).isPresent();
  }

  /** True when a calendar excludes the occurrence and it does not move: it will not fire. */
  public boolean isLeftOut(Instant at) {
    return isExcluded(at) && movedTo(at).isEmpty();
  }

  /**
   * The first occurrence strictly after {@code cursor} that no calendar leaves out. Costs a few
   * searches for each run of excluded dates; also empty if the effort's reserve ends first.
   */
  public Optional<Occurrence> nextNotLeftOut(Instant cursor) {
    Optional<Occurrence> next = nextAfter(cursor);
    while (next.isPresent() && isLeftOut(next.get().at())) {
      Instant last = previous(exclusions.orElseThrow().alikeUntil(next.get().at())).orElseThrow();
      if (!isLeftOut(last)) {
        return Optional.of(occurrence(last));
      }
      next = effort.hasReserve() ? nextAfter(last) : Optional.empty();
    }
    return next;
  }

  /**
   * Consecutive occurrences: the calendars leave out all or none of them.
   *
   * @param first inclusive
   * @param last inclusive
   */
  public record Span(Instant first, Instant last, boolean leftOut) {}

  /**
   * The occurrences from {@code first} to {@code last}, both inclusive, as alternating spans of
   * left-out and other occurrences.
   *
   * <p>Idea: step from one end of excluded dates to the next, not from occurrence to occurrence. Of
   * consecutive excluded occurrences only the last can move, since any other would move past its
   * successor. Costs a few searches of the trigger for each run of excluded dates.
   *
   * @param most the largest number of spans; after the first span, the result also ends when the
   *     effort has no reserve
   */
  public List<Span> spans(Instant first, Instant last, int most) {
    if (exclusions.isEmpty()) {
      return List.of(new Span(first, last, false));
    }
    List<Span> spans = new ArrayList<>();
    Optional<Instant> from = Optional.of(first);
    while (from.isPresent()
        && !from.get().isAfter(last)
        && spans.size() <= most
        && (spans.isEmpty() || effort.hasReserve())) {
      Instant until = exclusions.get().alikeUntil(from.get());
      Instant to = until.isAfter(last) ? last : previous(until).orElseThrow();
      addAlike(spans, from.get(), to);
      from = next(to);
    }
    return spans.size() <= most ? spans : spans.subList(0, most);
  }

  private void addAlike(List<Span> spans, Instant first, Instant last) {
    boolean excluded = isExcluded(first);
    if (!excluded || movedTo(last).isEmpty()) {
      add(spans, new Span(first, last, excluded));
      return;
    }
    if (first.isBefore(last)) {
      add(spans, new Span(first, previous(last).orElseThrow(), true));
    }
    add(spans, new Span(last, last, false));
  }

  /** Joins a span to the one before it, if that is of the same kind. */
  private static void add(List<Span> spans, Span span) {
    int end = spans.size() - 1;
    if (end >= 0 && spans.get(end).leftOut() == span.leftOut()) {
      spans.set(end, new Span(spans.get(end).first(), span.last(), span.leftOut()));
    } else {
      spans.add(span);
    }
  }

  private boolean moves() {
    return exclusions.isPresent() && exclusions.get().moves();
  }

  private boolean isExcluded(Instant at) {
    return exclusions.isPresent() && exclusions.get().excludes(at);
  }

  /** The instant to which an excluded occurrence moves: before the next one, of any owner. */
  private Optional<Instant> movedTo(Instant at) {
    if (!moves()) {
      return Optional.empty();
    }
    return exclusions
        .get()
        .movedTo(at, next(at))
        .filter(moved -> dueCeiling.isEmpty() || moved.isBefore(dueCeiling.get()));
  }

  private Occurrence occurrence(Instant at) {
    Instant from = moves() && isExcluded(at) ? movedTo(at).orElse(at) : at;
    Instant due = jitter.isEmpty() ? from : jitter.get().due(id, at, from, next(at));
    if (dueFloor.isPresent() && dueFloor.get().isAfter(due)) {
      due = dueFloor.get();
    }
    if (dueCeiling.isPresent() && dueCeiling.get().isBefore(due)) {
      due = Instants.later(dueCeiling.get(), at);
    }
    return new Occurrence(at, due);
  }
}
