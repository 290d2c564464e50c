package io.waterclock.testkit.model;

import io.waterclock.judge.Jitter;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
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
  /** Any trigger of the traces that goes on occurs in it. */
  private static final long LONG = Duration.ofDays(40).toMillis();

  /** Random calendars do not make occurrences move farther. */
  private static final long FARTHEST_MOVE_MS = 12 * 86_400_000L;

  /** Looking far at once would name a million occurrences of a fine grid. */
  private static final long FIRST_LOOK_MS = 60_000;

  final String id;
  final String name;
  final Schedule schedule;
  final long effectiveMs;
  final long ownsAfterMs;

  /** Exclusive: since when the schedule has had this trigger within these bounds. */
  final long namesAfterMs;

  final Optional<Long> resolved;
  final Optional<Long> countedEnd;
  private final long horizonMs;
  final long dueFloorMs;
  final Optional<Long> spokenFor;
  final List<Long> occurrences;
  private final Set<Long> skipList;
  private final CalendarModel calendars;
  private final CommandedModel commanded;
  boolean active;

  /** When it was written, as a resume is compared with it. */
  long declaredMs;

  /** The timestamp of the latest record that says it. */
  long saidMs;

  final NavigableSet<Long> decided = new TreeSet<>();
  private final Map<Long, Optional<Long>> beyond = new HashMap<>();
  private final Map<Long, Boolean> excluded = new HashMap<>();
  private int judgedAt;
  private int prefix;
  long ownsThroughMs = Long.MAX_VALUE;

  /** Inclusive: where its latest replay ends. */
  long replayThrough = Long.MIN_VALUE;

  Optional<Long> dueCeiling = Optional.empty();

  /**
   * @param countedEnd exclusive: where max_occurrences ends it
   * @param spokenFor the latest occurrence that earlier revisions owned
   * @param horizonMs nothing later is looked at
   * @param commanded what commands have set for the schedule
   */
  RevisionModel(
      String id,
      String name,
      Schedule schedule,
      long effectiveMs,
      long ownsAfterMs,
      long namesAfterMs,
      Optional<Long> resolved,
      Optional<Long> countedEnd,
      long dueFloorMs,
      Optional<Long> spokenFor,
      long horizonMs,
      CalendarModel calendars,
      CommandedModel commanded) {
    this.id = id;
    this.name = name;
    this.schedule = schedule;
    this.effectiveMs = effectiveMs;
    this.ownsAfterMs = ownsAfterMs;
    this.namesAfterMs = namesAfterMs;
    this.resolved = resolved;
    this.countedEnd = countedEnd;
    this.dueFloorMs = dueFloorMs;
    this.spokenFor = spokenFor;
    this.horizonMs = horizonMs;
    NavigableSet<Long> all = TriggerModel.between(schedule, resolved, ownsAfterMs + 1, horizonMs);
    countedEnd.ifPresent(end -> all.removeIf(ms -> ms >= end));
    this.occurrences = new ArrayList<>(all);
    this.calendars = calendars;
    this.commanded = commanded;
    this.active = schedule.getEnabled() && commanded.pausedAt.isEmpty();
    this.skipList =
        schedule.getSkip().stream().map(Instant::toEpochMilli).collect(Collectors.toSet());
  }

  /** True when the last occurrence, if there is one, was due at an instant. */
  boolean wasOver(long ms) {
    Optional<Long> end = Optional.ofNullable(schedule.getEndAt()).map(Instant::toEpochMilli);
    boolean isBounded =
        isOnce() || countedEnd.isPresent() || end.filter(at -> at <= horizonMs).isPresent();
    return effectiveMs <= ms
        && occurrences.stream().allMatch(at -> dueMs(at) <= ms)
        && (isBounded
            || TriggerModel.between(schedule, resolved, horizonMs + 1, horizonMs + LONG).isEmpty());
  }

  boolean isOnSkipList(long at) {
    return skipList.contains(at);
  }

  boolean isOnce() {
    return schedule.getTrigger() instanceof OnceTrigger;
  }

  boolean owns(long at) {
    return at <= ownsThroughMs && Collections.binarySearch(occurrences, at) >= 0;
  }

  long dueMs(long at) {
    long spread = schedule.getJitterMs();
    Optional<Long> next = next(at);
    long from = movedTo(at, next).orElse(at);
    if (next.isPresent()) {
      spread = Math.min(spread, next.get() - from);
    }
    long due = Math.max(from + Jitter.offsetMs(id, at, spread), dueFloorMs);
    return dueCeiling.isPresent() ? Math.min(due, Math.max(at, dueCeiling.get())) : due;
  }

  /** By a command, by the skip list, or by a calendar without a better date to go to. */
  boolean leftOut(long at) {
    return commanded.skips.contains(at) || leftOutByDefinition(at, next(at));
  }

  /** True if the skip list or a calendar leaves out an occurrence of any owner. */
  boolean leftOutByDefinition(long at) {
    return leftOutByDefinition(at, afterMoving(at));
  }

  private boolean leftOutByDefinition(long at, Optional<Long> next) {
    return isOnSkipList(at) || (isExcluded(at) && movedTo(at, next).isEmpty());
  }

  private boolean isExcluded(long at) {
    if (!namesCalendars()) {
      return false;
    }
    if (judgedAt != calendars.changes()) {
      judgedAt = calendars.changes();
      excluded.clear();
    }
    return excluded.computeIfAbsent(at, ms -> calendars.excludes(schedule, ms));
  }

  private Optional<Long> movedTo(long at, Optional<Long> next) {
    if (schedule.getOnExcluded() == OnExcluded.SKIP || !isExcluded(at)) {
      return Optional.empty();
    }
    return calendars
        .movedTo(schedule, at)
        .filter(moved -> next.isEmpty() || moved < next.get())
        .filter(moved -> dueCeiling.isEmpty() || moved < dueCeiling.get());
  }

  /** Of any owner. */
  private Optional<Long> next(long at) {
    int index = Collections.binarySearch(occurrences, at) + 1;
    if (index < occurrences.size()) {
      return Optional.of(occurrences.get(index));
    }
    return afterMoving(at);
  }

  /** The occurrence that the trigger names next, as far as a calendar could make one move. */
  private Optional<Long> afterMoving(long at) {
    return namesCalendars() ? occurrenceAfter(at) : Optional.empty();
  }

  private boolean namesCalendars() {
    return !schedule.getExcept().isEmpty() || !schedule.getOnly().isEmpty();
  }

  private Optional<Long> occurrenceAfter(long at) {
    return beyond.computeIfAbsent(at, this::named);
  }

  private Optional<Long> named(long after) {
    Optional<Long> found = Optional.empty();
    for (long far = FIRST_LOOK_MS; found.isEmpty() && far < 8 * FARTHEST_MOVE_MS; far *= 8) {
      long through = after + Math.min(far, FARTHEST_MOVE_MS);
      found = TriggerModel.between(schedule, resolved, after + 1, through).stream().findFirst();
    }
    return found.filter(at -> countedEnd.isEmpty() || at < countedEnd.get());
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
