package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.Cause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;

/** What commands have set for a schedule and ordered of it. Instants are epoch milliseconds. */
final class CommandedModel {
  /** A fire that a Resume has ordered for what its pause held. */
  record Held(long at, long orderedMs, Optional<Outcome.Group> group) {}

  /**
   * A fire beside the trigger.
   *
   * @param revision in force when it was ordered
   */
  record Manual(String commandId, long at, String revision) {}

  /** A range that is fired again; {@code to} is exclusive. */
  static final class Range {
    final String commandId;
    final long to;
    private long cursor;

    /** Nothing was left of it at some time; whether an edit came in time to change that is open. */
    private boolean mayBeOver;

    Range(String commandId, long from, long to) {
      this.commandId = commandId;
      this.to = to;
      this.cursor = from - 1;
    }

    boolean mayBeOver() {
      return mayBeOver;
    }

    /** What it fires next, as long as this revision is in force. */
    Optional<Long> next(RevisionModel current) {
      long from = Math.max(cursor, current.namesAfterMs) + 1;
      if (from >= to) {
        return Optional.empty();
      }
      NavigableSet<Long> named =
          TriggerModel.between(current.schedule, current.resolved, from, to - 1);
      return named.stream()
          .filter(at -> current.countedEnd.isEmpty() || at < current.countedEnd.get())
          .filter(at -> !current.leftOutByDefinition(at))
          .findFirst();
    }
  }

  Optional<Long> pausedAt = Optional.empty();
  Optional<Held> held = Optional.empty();
  final Set<Long> skips = new HashSet<>();
  final Deque<Manual> manual = new ArrayDeque<>();
  final List<Range> ranges = new ArrayList<>();
  private final Set<Long> spentSkips = new HashSet<>();

  /** A skipped occurrence has come; it counts as skipped until the next step. */
  void spent(long skip) {
    spentSkips.add(skip);
  }

  void beginStep() {
    skips.removeAll(spentSkips);
    spentSkips.clear();
  }

  /** True when a progress record may be kept for nothing else. */
  boolean isAny() {
    return pausedAt.isPresent()
        || held.isPresent()
        || !spentSkips.containsAll(skips)
        || !manual.isEmpty()
        || !ranges.isEmpty();
  }

  /** True when something must be fired yet. */
  boolean isOwed() {
    return !manual.isEmpty() || ranges.stream().anyMatch(range -> !range.mayBeOver);
  }

  /** Takes note of ranges of which nothing is left. */
  void noteFinished(RevisionModel current) {
    ranges.forEach(range -> range.mayBeOver |= range.next(current).isEmpty());
  }

  /** Takes note of a fire beside the trigger's, and says what is wrong with it. */
  Optional<String> fired(Outcome.Extra extra, RevisionModel current) {
    boolean isCurrent = extra.revision().equals(current.name);
    if (extra.cause() == Cause.TRIGGERED) {
      Manual next = manual.poll();
      boolean right =
          next != null
              && (isCurrent || extra.revision().equals(next.revision()))
              && next.at() == extra.at()
              && extra.commandId().equals(Optional.of(next.commandId()));
      return right ? Optional.empty() : Optional.of("ordered was " + next);
    }
    if (!isCurrent) {
      return Optional.of("not fired by the revision in force");
    }
    while (!ranges.isEmpty()) {
      Range first = ranges.get(0);
      Optional<Long> next = first.next(current);
      if (next.equals(Optional.of(extra.at()))) {
        first.cursor = extra.at();
        if (first.next(current).isEmpty()) {
          ranges.remove(0);
        }
        return Optional.empty();
      }
      if (!first.mayBeOver) {
        return Optional.of("next in the backfill is " + next);
      }
      ranges.remove(0);
    }
    return Optional.of("no backfill has ordered it");
  }
}
