package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An accepted definition, every occurrence it could own, and which of them are decided. */
final class RevisionModel {
  /** Random calendars do not make occurrences move farther. */
  private static final long FARTHEST_MOVE_MS = 12 * 86_400_000L;

  final String id;
  final String name;
  final Schedule schedule;
  final long effectiveMs;
  final long ownsAfterMs;
  final Optional<Long> resolved;
  final Optional<Long> countedEnd;
  final long dueFloorMs;
  final Optional<Long> spokenFor;
  final List<Long> occurrences;
  private final Set<Long> skip;
  private final CalendarModel calendars;
  final NavigableSet<Long> decided = new TreeSet<>();
  private final Map<Long, Optional<Long>> beyond = new HashMap<>();
  private final Map<Long, Boolean> excluded = new HashMap<>();
  private int judgedAt;
  private int prefix;
  long ownsThroughMs = Long.MAX_VALUE;
  Optional<Long> dueCeiling = Optional.empty();

  /**
   * @param countedEnd exclusive: where max_occurrences ends it
   * @param spokenFor the latest occurrence that earlier revisions owned
   * @param horizonMs nothing later is looked at
   */
  RevisionModel(
      String id,
      String name,
      Schedule schedule,
      long effectiveMs,
      long ownsAfterMs,
      Optional<Long> resolved,
      Optional<Long> countedEnd,
      long dueFloorMs,
      Optional<Long> spokenFor,
      long horizonMs,
      CalendarModel calendars) {
    this.id = id;
    this.name = name;
    this.schedule = schedule;
    this.effectiveMs = effectiveMs;
    this.ownsAfterMs = ownsAfterMs;
    this.resolved = resolved;
    this.countedEnd = countedEnd;
    this.dueFloorMs = dueFloorMs;
    this.spokenFor = spokenFor;
    NavigableSet<Long> all = TriggerModel.between(schedule, resolved, ownsAfterMs + 1, horizonMs);
    countedEnd.ifPresent(end -> all.removeIf(ms -> ms >= end));
    this.occurrences = new ArrayList<>(all);
    this.skip = schedule.getSkip().stream().map(Instant::toEpochMilli).collect(Collectors.toSet());
    this.calendars = calendars;
  }

  boolean enabled() {
    return schedule.getEnabled();
  }

  boolean isOnce() {
    return schedule.getTrigger() instanceof OnceTrigger;
  }

  boolean owns(long at) {
    return at <= ownsThroughMs && Collections.binarySearch(occurrences, at) >= 0;
  }

  long dueMs(long at) {
    long spread = schedule.getJitterMs();
    long from = movedTo(at).orElse(at);
    Optional<Long> next = next(at);
    if (next.isPresent()) {
      spread = Math.min(spread, next.get() - from);
    }
    long due = Math.max(from + JitterModel.offsetMs(id, at, spread), dueFloorMs);
    return dueCeiling.isPresent() ? Math.min(due, Math.max(at, dueCeiling.get())) : due;
  }

  /** On the skip list, or on a date that a calendar excludes, without a better one to go to. */
  boolean leftOut(long at) {
    return skip.contains(at) || (isExcluded(at) && movedTo(at).isEmpty());
  }

  private boolean isExcluded(long at) {
    if (schedule.getExcept().isEmpty()) {
      return false;
    }
    if (judgedAt != calendars.changes()) {
      judgedAt = calendars.changes();
      excluded.clear();
    }
    return excluded.computeIfAbsent(at, ms -> calendars.excludes(schedule, ms));
  }

  private Optional<Long> movedTo(long at) {
    if (schedule.getOnExcluded() == OnExcluded.SKIP || !isExcluded(at)) {
      return Optional.empty();
    }
    Optional<Long> next = next(at);
    return calendars
        .movedTo(schedule, at)
        .filter(moved -> next.isEmpty() || moved < next.get())
        .filter(moved -> dueCeiling.isEmpty() || moved < dueCeiling.get());
  }

  /** Whoever owns it. */
  private Optional<Long> next(long at) {
    int index = Collections.binarySearch(occurrences, at) + 1;
    if (index < occurrences.size()) {
      return Optional.of(occurrences.get(index));
    }
    if (schedule.getExcept().isEmpty()) {
      return Optional.empty();
    }
    return occurrenceAfter(at);
  }

  private Optional<Long> occurrenceAfter(long at) {
    return beyond.computeIfAbsent(
        at,
        from ->
            TriggerModel.between(schedule, resolved, from + 1, from + FARTHEST_MOVE_MS).stream()
                .findFirst()
                .filter(found -> countedEnd.isEmpty() || found < countedEnd.get()));
  }

  /** Missed: due more than grace ago. */
  boolean isLate(long at, long nowMs) {
    return nowMs - dueMs(at) > schedule.getGraceMs();
  }

  /** Undecided occurrences that it owns, up to an instant (inclusive). */
  List<Long> undecidedThrough(long throughMs) {
    while (prefix < occurrences.size() && decided.contains(occurrences.get(prefix))) {
      prefix++;
    }
    List<Long> undecided = new ArrayList<>();
    for (int i = prefix; i < occurrences.size(); i++) {
      long at = occurrences.get(i);
      if (at > ownsThroughMs || at > throughMs) {
        break;
      }
      if (!decided.contains(at)) {
        undecided.add(at);
      }
    }
    return undecided;
  }

  boolean hasUndecided() {
    return !undecidedThrough(Long.MAX_VALUE).isEmpty();
  }

  /** Also one that no trace reaches: an older revision's occurrence may want to move past it. */
  Optional<Long> firstOccurrence() {
    return occurrences.isEmpty() ? occurrenceAfter(ownsAfterMs) : Optional.of(occurrences.get(0));
  }

  Optional<Long> firstOwned() {
    return firstOccurrence().filter(at -> at <= ownsThroughMs);
  }

  Optional<Long> lastOwned(long throughMs) {
    return occurrences.stream()
        .filter(at -> at <= ownsThroughMs && at <= throughMs)
        .reduce((a, b) -> b);
  }
}
