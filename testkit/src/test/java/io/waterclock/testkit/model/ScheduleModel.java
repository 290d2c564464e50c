package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;

/**
 * One life of a schedule, from its first definition to its delete: the rules, word for word, on
 * lists of occurrences.
 */
final class ScheduleModel {
  private final String id;
  private final long horizonMs;
  private final CalendarModel calendars;
  private final List<RevisionModel> revisions = new ArrayList<>();
  final OrdersModel orders = new OrdersModel();
  private boolean wasResumed;

  ScheduleModel(
      String id,
      String revision,
      Schedule schedule,
      long atMs,
      long nowMs,
      long horizon,
      CalendarModel calendars) {
    this.id = id;
    this.calendars = calendars;
    this.horizonMs = horizon;
    long effective = Math.min(atMs, nowMs);
    revisions.add(
        accept(revision, schedule, effective, resolve(schedule, effective), Optional.empty()));
  }

  RevisionModel current() {
    return revisions.get(revisions.size() - 1);
  }

  /** Revisions that may own undecided occurrences, oldest first. */
  List<RevisionModel> revisions() {
    return revisions;
  }

  String id() {
    return id;
  }

  /** True when a replaced revision still has something to decide. */
  boolean hasOlder() {
    return revisions.stream().anyMatch(r -> r != current() && r.hasUndecided());
  }

  /** True when something due up to an instant (inclusive) is undecided. */
  boolean isBehind(long throughMs) {
    return revisions.stream()
        .filter(r -> r.active)
        .anyMatch(
            r -> r.undecidedThrough(throughMs).stream().anyMatch(at -> r.dueMs(at) <= throughMs));
  }

  /** The oldest revision that owns this occurrence undecided. */
  Optional<RevisionModel> owner(long at) {
    return revisions.stream().filter(r -> r.owns(at) && !r.decided.contains(at)).findFirst();
  }

  /** True when nothing is decided before what precedes it; what is left out aside. */
  boolean hasNoGap() {
    boolean undecidedSeen = false;
    for (RevisionModel r : revisions) {
      for (long at : r.occurrences) {
        if (at > r.ownsThroughMs) {
          break;
        }
        if (!r.decided.contains(at)) {
          undecidedSeen = true;
        } else if (undecidedSeen && !r.leftOut(at)) {
          return false;
        }
      }
    }
    return true;
  }

  /** A definition arrives; what a pause writes off is the result. */
  List<Outcome> put(String revision, Schedule schedule, long atMs, long nowMs) {
    RevisionModel old = current();
    if (old.schedule.equals(schedule)) {
      return List.of();
    }
    long effective = Math.max(Math.min(atMs, nowMs), old.effectiveMs);
    if (!old.decided.isEmpty()) {
      effective = Math.max(effective, old.decided.last());
    }
    boolean sameTrigger = old.schedule.getTrigger().equals(schedule.getTrigger());
    Optional<Long> spokenFor =
        old.active
            ? old.lastOwned(effective)
            : Optional.of(old.decided).filter(d -> !d.isEmpty()).map(NavigableSet::last);
    boolean active = schedule.getEnabled() && orders.pausedAt.isEmpty();
    spokenFor = spokenFor.isPresent() ? spokenFor : old.spokenFor;
    boolean held =
        !old.active
            && old.isOnce()
            && sameTrigger
            && !old.undecidedThrough(effective).isEmpty()
            && !(active && schedule.getCatchUp() == CatchUp.SKIP)
            && !successor(old, revision, schedule, effective, spokenFor, true)
                .occurrences
                .isEmpty();
    RevisionModel young =
        sameTrigger
            ? successor(old, revision, schedule, effective, spokenFor, held)
            : accept(revision, schedule, effective, resolve(schedule, effective), spokenFor);
    List<Outcome> lost = new ArrayList<>();
    if (!(old.active && active)) {
      orders.held = Optional.empty();
      if (!held) {
        lost.addAll(writeOff(effective, MissedReason.PAUSED));
      }
      revisions.clear();
    }
    old.ownsThroughMs = effective;
    revisions.removeIf(r -> !r.hasUndecided());
    revisions.add(young);
    capJitter();
    lost.addAll(leaveOut(nowMs));
    return lost;
  }

  /**
   * An edit looks at what replaced revisions have missed for certain; what is left out of it is
   * told at once.
   */
  private List<Outcome> leaveOut(long nowMs) {
    List<Outcome> lost = new ArrayList<>();
    if (orders.held.isPresent()) {
      return lost;
    }
    for (RevisionModel r : revisions) {
      List<Long> undecided = r.undecidedThrough(Long.MAX_VALUE);
      boolean allMissed = undecided.stream().allMatch(at -> r.isLate(at, nowMs));
      if (r == current() || r.schedule.getCatchUp() == CatchUp.REPLAY || !allMissed) {
        break;
      }
      for (long at : undecided) {
        if (r.leftOut(at)) {
          lost.add(lost(r, at, MissedReason.SKIPPED, Optional.empty()));
        }
      }
    }
    return lost;
  }

  /** Jitter stays before the next occurrence, also when that is a younger revision's. */
  private void capJitter() {
    Optional<Long> next = current().firstOccurrence();
    for (int i = revisions.size() - 2; i >= 0; i--) {
      revisions.get(i).dueCeiling = next;
      Optional<Long> own = revisions.get(i).firstOwned();
      next = own.isPresent() ? own : next;
    }
  }

  /** A pause by command; empty when it was paused by command already. */
  Optional<List<Outcome>> pause(long atMs, long nowMs) {
    if (orders.pausedAt.isPresent()) {
      return Optional.empty();
    }
    long since = Math.max(Math.min(atMs, nowMs), current().effectiveMs);
    orders.pausedAt = Optional.of(since);
    if (!current().active) {
      return Optional.of(List.of());
    }
    List<Outcome> lost = writeOff(since, MissedReason.PAUSED);
    orders.held = Optional.empty();
    RevisionModel current = current();
    revisions.clear();
    revisions.add(current);
    current.active = false;
    return Optional.of(lost);
  }

  /** A resume by command; empty when nothing held the schedule. */
  Optional<List<Outcome>> resume(boolean fireOnce, long atMs, long nowMs) {
    RevisionModel r = current();
    if (r.active) {
      return Optional.empty();
    }
    long until =
        Math.max(
            Math.max(Math.min(atMs, nowMs), r.effectiveMs), orders.pausedAt.orElse(Long.MIN_VALUE));
    orders.pausedAt = Optional.empty();
    r.active = true;
    wasResumed = true;
    List<Long> held = r.undecidedThrough(until);
    List<Long> fireable = held.stream().filter(at -> !r.leftOut(at)).toList();
    if (fireOnce && !fireable.isEmpty()) {
      long last = fireable.get(fireable.size() - 1);
      orders.held =
          Optional.of(
              new OrdersModel.Held(
                  last,
                  fireable.size() == 1
                      ? Optional.empty()
                      : Optional.of(new Outcome.Group(fireable.size() - 1, fireable.get(0)))));
      held = held.stream().filter(at -> at < last).toList();
    } else if (r.isOnce() && r.schedule.getCatchUp() != CatchUp.SKIP) {
      held = List.of();
    }
    return Optional.of(
        held.stream().map(at -> lost(r, at, MissedReason.PAUSED, Optional.empty())).toList());
  }

  /**
   * True when the end of a pause has decided occurrences that jitter or a calendar had put off
   * until later: the schedule is out of step until it has fired after them, or the walk has come
   * by.
   */
  boolean mayBeAhead() {
    Schedule schedule = current().schedule;
    return wasResumed
        && (schedule.getJitterMs() > 0 || schedule.getOnExcluded() == OnExcluded.NEXT_WORKING_DAY);
  }

  /** True when a definition that says {@code enabled = false} was resumed by command. */
  boolean isOverridden() {
    return current().active && !current().schedule.getEnabled();
  }

  List<Outcome> delete(long atMs, long nowMs) {
    return writeOff(Math.max(Math.min(atMs, nowMs), current().effectiveMs), MissedReason.DELETED);
  }

  private List<Outcome> writeOff(long throughMs, MissedReason reason) {
    List<Outcome> lost = new ArrayList<>();
    for (RevisionModel r : revisions) {
      for (long at : r.undecidedThrough(throughMs)) {
        lost.add(lost(r, at, r.active ? reason : MissedReason.PAUSED, Optional.empty()));
      }
    }
    return lost;
  }

  /** A tick: everything due is decided. */
  List<Outcome> tick(long nowMs) {
    List<Outcome> outcomes = new ArrayList<>();
    List<Lot> carried = new ArrayList<>();
    for (RevisionModel r : revisions) {
      if (!r.active) {
        continue;
      }
      List<Long> due =
          r.undecidedThrough(nowMs).stream().filter(at -> r.dueMs(at) <= nowMs).toList();
      if (!due.isEmpty()) {
        decide(r, due, carried, nowMs, outcomes);
      }
      if (r != current() && r.undecidedThrough(Long.MAX_VALUE).size() > due.size()) {
        break;
      }
    }
    fireCarried(carried, nowMs, outcomes);
    return outcomes;
  }

  /** An occurrence of a revision. */
  private record Lot(RevisionModel revision, long at) {}

  private void decide(
      RevisionModel r, List<Long> all, List<Lot> carried, long nowMs, List<Outcome> outcomes) {
    List<Long> due = all;
    Optional<OrdersModel.Held> held = orders.held.filter(fire -> fire.at() == all.get(0));
    if (held.isPresent()) {
      outcomes.add(heldOne(r, held.get(), nowMs));
      due = all.subList(1, all.size());
      if (due.isEmpty()) {
        return;
      }
    }
    boolean missed = due.stream().anyMatch(at -> !r.leftOut(at) && r.isLate(at, nowMs));
    switch (r.schedule.getCatchUp()) {
      case SKIP -> {
        for (long at : due) {
          if (r.isLate(at, nowMs)) {
            outcomes.add(lost(r, at, MissedReason.GRACE, Optional.empty()));
          } else {
            fireCarried(carried, nowMs, outcomes);
            outcomes.add(alone(r, at, nowMs));
          }
        }
      }
      case REPLAY -> {
        fireCarried(carried, nowMs, outcomes);
        long late = due.stream().filter(at -> r.isLate(at, nowMs) && !r.leftOut(at)).count();
        for (int i = 0; i < due.size(); i++) {
          long at = due.get(i);
          Long window = r.schedule.getCatchUpWindowMs();
          boolean tooOld = window != null && nowMs - r.dueMs(at) > window;
          boolean tooMany = late > r.schedule.getMaxReplay();
          late -= r.leftOut(at) ? 0 : 1;
          outcomes.add(
              r.isLate(at, nowMs) && (tooOld || tooMany)
                  ? lost(r, at, MissedReason.OUT_OF_WINDOW, Optional.empty())
                  : alone(r, at, nowMs));
        }
      }
      case COLLAPSE -> {
        if (!missed && carried.isEmpty()) {
          due.forEach(at -> outcomes.add(alone(r, at, nowMs)));
          return;
        }
        for (long at : due) {
          if (r.leftOut(at)) {
            outcomes.add(lost(r, at, MissedReason.SKIPPED, Optional.empty()));
          } else {
            carried.add(new Lot(r, at));
          }
        }
        if (r == current() && due.stream().anyMatch(at -> !r.leftOut(at))) {
          fireAsOne(carried, nowMs, outcomes);
        }
      }
    }
  }

  private void fireCarried(List<Lot> carried, long nowMs, List<Outcome> outcomes) {
    if (!carried.isEmpty()) {
      fireAsOne(carried, nowMs, outcomes);
    }
  }

  private void fireAsOne(List<Lot> lots, long nowMs, List<Outcome> outcomes) {
    Lot last = lots.remove(lots.size() - 1);
    for (Lot lot : lots) {
      outcomes.add(
          lost(lot.revision(), lot.at(), MissedReason.COLLAPSED_INTO, Optional.of(last.at())));
    }
    Optional<Outcome.Group> group =
        lots.stream().findFirst().map(first -> new Outcome.Group(lots.size(), first.at()));
    Cause cause =
        group.isPresent() || last.revision().isLate(last.at(), nowMs)
            ? Cause.CATCH_UP
            : Cause.SCHEDULED;
    outcomes.add(
        new Outcome.Fired(
            id, current().name, last.at(), last.revision().dueMs(last.at()), nowMs, cause, group));
    lots.clear();
  }

  private Outcome heldOne(RevisionModel r, OrdersModel.Held held, long nowMs) {
    orders.held = Optional.empty();
    Outcome alone = alone(r, held.at(), nowMs);
    if (held.group().isPresent() && alone instanceof Outcome.Fired fire) {
      return new Outcome.Fired(
          id, r.name, fire.at(), fire.due(), nowMs, Cause.CATCH_UP, held.group());
    }
    return alone;
  }

  private Outcome alone(RevisionModel r, long at, long nowMs) {
    if (r.leftOut(at)) {
      return lost(r, at, MissedReason.SKIPPED, Optional.empty());
    }
    Cause cause = r.isLate(at, nowMs) ? Cause.CATCH_UP : Cause.SCHEDULED;
    return new Outcome.Fired(id, r.name, at, r.dueMs(at), nowMs, cause, Optional.empty());
  }

  private Outcome lost(RevisionModel r, long at, MissedReason reason, Optional<Long> into) {
    return new Outcome.Lost(id, r.name, at, r.leftOut(at) ? MissedReason.SKIPPED : reason, into);
  }

  private RevisionModel accept(
      String revision,
      Schedule schedule,
      long effective,
      Optional<Long> resolved,
      Optional<Long> spokenFor) {
    long ownsAfter = effective;
    long dueFloor = Long.MIN_VALUE;
    if (schedule.getTrigger() instanceof OnceTrigger && resolved.orElseThrow() <= effective) {
      long at = resolved.orElseThrow();
      if (spokenFor.isEmpty() || spokenFor.get() < at) {
        ownsAfter = at - 1;
        dueFloor = effective;
      }
    }
    Optional<Long> end = countedEnd(schedule, resolved, ownsAfter);
    return new RevisionModel(
        id, revision, schedule, effective, ownsAfter, resolved, end, dueFloor, spokenFor, horizonMs,
        calendars, orders);
  }

  private RevisionModel successor(
      RevisionModel old,
      String revision,
      Schedule schedule,
      long effective,
      Optional<Long> spokenFor,
      boolean held) {
    long ownsAfter = held ? old.resolved.orElseThrow() - 1 : effective;
    Schedule before = old.schedule;
    boolean sameBounds =
        Objects.equals(before.getMaxOccurrences(), schedule.getMaxOccurrences())
            && Objects.equals(before.getStartAt(), schedule.getStartAt())
            && Objects.equals(before.getEndAt(), schedule.getEndAt())
            && Objects.equals(before.getTimezone(), schedule.getTimezone());
    Optional<Long> end =
        sameBounds ? old.countedEnd : countedEnd(schedule, old.resolved, ownsAfter);
    long dueFloor = held ? old.dueFloorMs : Long.MIN_VALUE;
    return new RevisionModel(
        id,
        revision,
        schedule,
        effective,
        ownsAfter,
        old.resolved,
        end,
        dueFloor,
        spokenFor,
        horizonMs,
        calendars,
        orders);
  }

  private Optional<Long> countedEnd(Schedule schedule, Optional<Long> resolved, long ownsAfter) {
    Long max = schedule.getMaxOccurrences();
    if (max == null) {
      return Optional.empty();
    }
    NavigableSet<Long> all = TriggerModel.between(schedule, resolved, ownsAfter + 1, horizonMs);
    return all.stream().skip(max - 1).findFirst().map(last -> last + 1);
  }

  private static Optional<Long> resolve(Schedule schedule, long effective) {
    if (schedule.getTrigger() instanceof EveryTrigger every) {
      return Optional.of(
          Optional.ofNullable(every.getAnchor()).map(Instant::toEpochMilli).orElse(effective));
    }
    if (schedule.getTrigger() instanceof RRuleTrigger rrule) {
      return Optional.of(
          rrule.getAnchor() == null
              ? Math.floorDiv(effective, 1_000L) * 1_000 + 1
              : rrule.getAnchor().toEpochMilli());
    }
    if (schedule.getTrigger() instanceof OnceTrigger once) {
      return Optional.of(
          once.getAt() == null
              ? effective + Objects.requireNonNull(once.getInMs())
              : once.getAt().toEpochMilli());
    }
    return Optional.empty();
  }
}
