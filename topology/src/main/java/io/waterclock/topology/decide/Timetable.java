package io.waterclock.topology.decide;

import io.waterclock.occurrences.Count;
import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.Trigger;
import java.time.Instant;
import java.util.Optional;

/**
 * When the occurrences of one revision are due: its trigger within its bounds, jitter added.
 *
 * <p>Due instants ascend with the occurrences, since jitter is capped before the next occurrence;
 * so everything here costs one or two searches of the trigger. Immutable and thread-safe.
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

  Timetable(
      String id,
      Trigger trigger,
      Optional<Jitter> jitter,
      Optional<Instant> dueFloor,
      Optional<Instant> dueCeiling,
      Instant ownsAfter) {
    this.id = id;
    this.trigger = trigger;
    this.jitter = jitter;
    this.dueFloor = dueFloor;
    this.dueCeiling = dueCeiling;
    this.ownsAfter = ownsAfter;
  }

  /**
   * The same, for a revision that was replaced: jitter stays before the next occurrence also when
   * that is a younger revision's.
   *
   * @param next the first occurrence that a younger revision owns
   */
  Timetable before(Optional<Instant> next) {
    return next.isEmpty() ? this : new Timetable(id, trigger, jitter, dueFloor, next, ownsAfter);
  }

  /** The first occurrence that the revision owns strictly after {@code cursor}. */
  public Optional<Occurrence> nextAfter(Instant cursor) {
    Instant from = cursor.isAfter(ownsAfter) ? cursor : ownsAfter;
    Optional<Instant> at = trigger.nextAfter(from);
    return at.isEmpty() ? Optional.empty() : Optional.of(occurrence(at.get()));
  }

  /**
   * The latest occurrence that is due at or before {@code now}.
   *
   * @param ownedThrough inclusive: where the revision's ownership ends
   */
  public Optional<Occurrence> lastDueBy(Instant now, Optional<Instant> ownedThrough) {
    Instant limit =
        ownedThrough.isPresent() && ownedThrough.get().isBefore(now) ? ownedThrough.get() : now;
    Optional<Instant> at = trigger.lastAtOrBefore(limit);
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
    if (jitter.isEmpty() && dueFloor.isEmpty()) {
      return dueThrough.isAfter(ownsAfter) ? dueThrough : ownsAfter;
    }
    return lastDueBy(dueThrough, Optional.empty()).map(Occurrence::at).orElse(ownsAfter);
  }

  /** The latest occurrence of the revision at or before {@code cursor}. */
  Optional<Instant> lastOwned(Instant cursor) {
    return trigger.lastAtOrBefore(cursor).filter(at -> at.isAfter(ownsAfter));
  }

  /** How many occurrences lie in [first, last], counting by steps up to a limit. */
  Count count(Instant first, Instant last) {
    return trigger.count(first.minusMillis(1), last, COUNT_LIMIT);
  }

  /** The n-th occurrence going back from {@code at}, which counts as the first. */
  Optional<Instant> nthBack(Instant at, long n) {
    return trigger.nthAtOrBefore(at, n);
  }

  /** The occurrence before {@code at}, whoever owns it. */
  Optional<Instant> previous(Instant at) {
    return trigger.lastAtOrBefore(at.minusMillis(1));
  }

  /** The occurrence after {@code at}. */
  Optional<Instant> next(Instant at) {
    return trigger.nextAfter(at);
  }

  boolean isOccurrence(Instant at) {
    return at.isAfter(ownsAfter) && trigger.lastAtOrBefore(at).filter(at::equals).isPresent();
  }

  private Occurrence occurrence(Instant at) {
    Instant due = jitter.isEmpty() ? at : jitter.get().due(id, at, trigger.nextAfter(at));
    if (dueFloor.isPresent() && dueFloor.get().isAfter(due)) {
      due = dueFloor.get();
    }
    if (dueCeiling.isPresent() && dueCeiling.get().isBefore(due)) {
      due = dueCeiling.get().isBefore(at) ? at : dueCeiling.get();
    }
    return new Occurrence(at, due);
  }
}
