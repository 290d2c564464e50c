package io.waterclock.topology.scheduler.model;

import io.waterclock.definition.Exclusions;
import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When the occurrences of one revision are due: its trigger within its bounds, jitter added, moved
 * where a calendar excludes them and the schedule says so.
 *
 * <p>Due instants ascend with the occurrences, since jitter is capped before the next occurrence,
 * and an occurrence that would move to the next one or past it is left out instead; so everything
 * here but {@link #spans} and {@link #nextNotLeftOut} costs one or two searches of the trigger.
 * Spends steps from a meter for all that it does, see {@link Effort}. Immutable but for that; of
 * the thread of its meter.
 */
public final class Timetable {
  /** Counting by steps stops here; the range stays exact, the count becomes a lower bound. */
  static final long COUNT_LIMIT = 10_000;

  private final String id;
  private final Trigger trigger;
  private final Optional<Jitter> jitter;
  private final Optional<Instant> dueFloor;
  private final Optional<Instant> dueCeiling;
  private final Instant ownsAfter;
  private final Optional<Exclusions> exclusions;
  private final Effort effort;

  /**
   * @param trigger metered by {@code effort}
   */
  Timetable(
      String id,
      Trigger trigger,
      Optional<Jitter> jitter,
      Optional<Instant> dueFloor,
      Optional<Instant> dueCeiling,
      Instant ownsAfter,
      Optional<Exclusions> exclusions,
      Effort effort) {
    this.id = id;
    this.trigger = trigger;
    this.jitter = jitter;
    this.dueFloor = dueFloor;
    this.dueCeiling = dueCeiling;
    this.ownsAfter = ownsAfter;
    this.exclusions = exclusions;
    this.effort = effort;
  }

  /**
   * The same, for a revision that was replaced: jitter and moves stay before the next occurrence
   * also when that is a younger revision's.
   *
   * @param next the first occurrence that a younger revision owns
   */
  Timetable before(Optional<Instant> next) {
    return next.isEmpty()
        ? this
        : new Timetable(id, trigger, jitter, dueFloor, next, ownsAfter, exclusions, effort);
  }

  /** The first occurrence that the revision owns strictly after {@code cursor}. */
  public Optional<Occurrence> nextAfter(Instant cursor) {
    Instant from = cursor.isAfter(ownsAfter) ? cursor : ownsAfter;
    Optional<Instant> at = next(from);
    return at.isEmpty() ? Optional.empty() : Optional.of(occurrence(at.get()));
  }

  /** The first occurrence that the trigger names strictly after {@code cursor}, whoever owns it. */
  public Optional<Occurrence> namedAfter(Instant cursor) {
    return next(cursor).map(this::occurrence);
  }

  /**
   * The latest occurrence that is due at or before {@code now}.
   *
   * @param ownedThrough inclusive: where the revision's ownership ends
   */
  public Optional<Occurrence> lastDueBy(Instant now, Optional<Instant> ownedThrough) {
    Instant limit =
        ownedThrough.isPresent() && ownedThrough.get().isBefore(now) ? ownedThrough.get() : now;
    Optional<Instant> at = upTo(limit);
    while (at.isPresent() && at.get().isAfter(ownsAfter)) {
      Occurrence occurrence = occurrence(at.get());
      if (!occurrence.due().isAfter(now)) {
        return Optional.of(occurrence);
      }
      at = previous(at.get());
    }
    return Optional.empty();
  }

  /**
   * The cursor of a schedule of which everything due up to an instant is decided: every occurrence
   * at or before the result is decided, none after it is.
   *
   * @param dueThrough inclusive
   */
  public Instant cursorAt(Instant dueThrough) {
    if (jitter.isEmpty() && dueFloor.isEmpty() && !moves()) {
      return dueThrough.isAfter(ownsAfter) ? dueThrough : ownsAfter;
    }
    return lastDueBy(dueThrough, Optional.empty()).map(Occurrence::at).orElse(ownsAfter);
  }

  /** The latest occurrence of the revision at or before {@code cursor}. */
  public Optional<Instant> lastOwned(Instant cursor) {
    return upTo(cursor).filter(at -> at.isAfter(ownsAfter));
  }

  /**
   * How many occurrences lie between two of them, both inclusive, counting by steps up to a limit
   * and as far as the effort has a reserve.
   */
  public Count count(Instant first, Instant last) {
    return count(first, last, COUNT_LIMIT);
  }

  /** As above, up to a limit of your own. */
  public Count count(Instant first, Instant last, long limit) {
    effort.spend(1);
    Count count = trigger.count(first.minusMillis(1), last, limit);
    long least = first.equals(last) ? 1 : 2;
    return count.value() < least ? new Count(least, count.exact()) : count;
  }

  /**
   * The n-th occurrence going back from {@code at}, which counts as the first; empty where that is
   * before {@code notBefore}. A later one where the effort has no reserve left.
   */
  public Optional<Instant> nthBack(Instant at, long n, Instant notBefore) {
    effort.spend(1);
    return trigger.nthAtOrBefore(at, n, notBefore);
  }

  /** The occurrence before {@code at}, whoever owns it. */
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
   * searches for each run of excluded dates; empty also where none is found while the effort has a
   * reserve.
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
   * Consecutive occurrences, all or none of which the calendars leave out.
   *
   * @param first inclusive
   * @param last inclusive
   */
  public record Span(Instant first, Instant last, boolean leftOut) {}

  /**
   * The occurrences from {@code first} to {@code last}, both inclusive, as alternating spans of
   * what calendars leave out and what they do not.
   *
   * <p>Idea: go from one end of excluded dates to the next, not from occurrence to occurrence. Of
   * consecutive excluded occurrences only the last can move, since any other would move past the
   * one after it. Costs a few searches of the trigger for each run of excluded dates.
   *
   * @param most how many spans are wanted; the rest is left away, as is what comes after the first
   *     span and for which the effort has no reserve
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

  /** Where an excluded occurrence moves to: before the next one, whoever owns that. */
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
      due = dueCeiling.get().isBefore(at) ? at : dueCeiling.get();
    }
    return new Occurrence(at, due);
  }
}
