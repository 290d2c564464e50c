package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.Cause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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

    private final boolean newestFirst;

    private long to;

    /** In force when it was ordered. */
    private final RevisionModel by;

    private long cursor;

    /** Nothing was left of it at some time; whether a cancel came before that is open. */
    private boolean mayBeOver;

    Range(String commandId, long from, long to, RevisionModel by) {
      this(commandId, from, to, by, false);
    }

    Range(String commandId, long from, long to, RevisionModel by, boolean newestFirst) {
      this.commandId = commandId;
      this.newestFirst = newestFirst;
      this.to = to;
      this.by = by;
      this.cursor = from - 1;
    }

    boolean mayBeOver() {
      return mayBeOver;
    }

    /** What it fires next. */
    Optional<Long> next() {
      return newestFirst ? all().reduce((older, newer) -> newer) : all().findFirst();
    }

    private void fired(long at) {
      if (newestFirst) {
        to = at;
      } else {
        cursor = at;
      }
    }

    /** What it has yet to fire. */
    Stream<Long> all() {
      long from = Math.max(cursor, by.namesAfterMs) + 1;
      return from >= to
          ? Stream.empty()
          : TriggerModel.between(by.schedule, by.resolved, from, to - 1).stream()
              .filter(at -> by.countedEnd.isEmpty() || at < by.countedEnd.get())
              .filter(at -> !by.leftOutByDefinition(at));
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
  void noteFinished() {
    ranges.forEach(range -> range.mayBeOver |= range.next().isEmpty());
  }

  /** Takes note of a fire beside the trigger's, and says what is wrong with it. */
  Optional<String> fired(Outcome.Extra extra) {
    if (extra.cause() == Cause.TRIGGERED) {
      Manual next = manual.poll();
      boolean right =
          next != null
              && extra.revision().equals(next.revision())
              && next.at() == extra.at()
              && extra.commandId().equals(Optional.of(next.commandId()));
      return right ? Optional.empty() : Optional.of("ordered was " + next);
    }
    while (!ranges.isEmpty()) {
      Range first = ranges.get(0);
      Optional<Long> next = first.next();
      if (next.equals(Optional.of(extra.at())) && extra.revision().equals(first.by.name)) {
        first.fired(extra.at());
        if (first.next().isEmpty()) {
          ranges.remove(0);
        }
        return Optional.empty();
      }
      if (!first.mayBeOver) {
        return Optional.of("next in the backfill is " + next + " by " + first.by.name);
      }
      ranges.remove(0);
    }
    return Optional.of("no backfill has ordered it");
  }
}
