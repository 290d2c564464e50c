package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Overlap;
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
 * lists of occurrences. This reference shares no code with what it judges.
 */
final class ScheduleModel {
  private final String id;
  private final long horizonMs;
  private final long retentionMs;
  private final CalendarModel calendars;
  private final List<RevisionModel> revisions = new ArrayList<>();
  final CommandedModel commanded = new CommandedModel();
  final RunsModel runs = new RunsModel();

  /** Exclusive: what occurred up to here belongs to no definition of this life. */
  final long beganMs;

  private boolean wasResumed;

  /** When the latest resume by command was given, and whether it asked for a fire. */
  private long resumedMs = Long.MIN_VALUE;

  private boolean resumedOnce;
  private String pauseNote = "";

  /** When the newest record that pauses was written, and whether that was a report. */
  private long pausedMs = Long.MIN_VALUE;

  private boolean isPausedByReport;

  ScheduleModel(
      String id,
      String revision,
      Schedule schedule,
      long atMs,
      long nowMs,
      long horizon,
      long retentionMs,
      CalendarModel calendars,
      Optional<Ended> earlier) {
    this.id = id;
    this.calendars = calendars;
    this.horizonMs = horizon;
    this.retentionMs = retentionMs;
    long writtenMs = Math.min(atMs, nowMs);
    long effective = Math.max(writtenMs, earlier.map(Ended::throughMs).orElse(Long.MIN_VALUE));
    Optional<Long> spokenFor = earlier.flatMap(Ended::lastOccurrence);
    Optional<Long> resolved = resolve(schedule, said(schedule, effective, spokenFor));
    revisions.add(accept(revision, schedule, effective, resolved, spokenFor));
    this.beganMs = current().ownsAfterMs;
    current().declaredMs = writtenMs;
    current().saidMs = writtenMs;
    if (countsFailures(current())) {
      runs.countAfter(beganMs);
    }
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
    long writtenMs = Math.min(atMs, nowMs);
    Optional<Long> at = at(schedule);
    boolean rearms =
        (schedule.getRearm() && at.isEmpty() && writtenMs > old.saidMs)
            || (old.active && old.wasOver(writtenMs - retentionMs));
    boolean movesBack =
        schedule.getRearm()
            && old.isOnce()
            && at.isPresent()
            && old.resolved.filter(before -> at.get() < before).isPresent();
    if (movesBack || (!rearms && old.schedule.equals(schedule))) {
      old.saidMs = Math.max(old.saidMs, writtenMs);
      old.declaredMs = Math.min(Math.max(old.declaredMs, writtenMs), old.effectiveMs);
      return List.of();
    }
    boolean mayBeComplete = old.active && !old.hasUndecided();
    List<Outcome> lost = new ArrayList<>();
    if (firesForItsPause(schedule)) {
      lost.addAll(resume(true, atMs, nowMs).orElseThrow());
    }
    long effective = Math.max(Math.min(atMs, nowMs), old.effectiveMs);
    if (!old.decided.isEmpty()) {
      effective = Math.max(effective, old.decided.last());
    }
    boolean sameTrigger = !rearms && old.schedule.getTrigger().equals(schedule.getTrigger());
    Optional<Long> spokenFor = old.lastOwned(effective);
    boolean active = schedule.getEnabled() && commanded.pausedAt.isEmpty();
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
            : accept(
                revision,
                schedule,
                effective,
                resolve(schedule, said(schedule, effective, spokenFor)),
                spokenFor);
    if (!(old.active && active)) {
      commanded.held = Optional.empty();
      if (!held) {
        lost.addAll(writeOff(effective, MissedReason.PAUSED));
      }
      revisions.clear();
    }
    old.ownsThroughMs = effective;
    revisions.removeIf(r -> !r.hasUndecided());
    revisions.add(young);
    capJitter();
    redefineFailures(old, young, mayBeComplete);
    lost.addAll(leaveOut(nowMs));
    young.declaredMs = writtenMs;
    young.saidMs = writtenMs;
    if (!schedule.getEnabled() && commanded.pausedAt.isEmpty() && resumedMs > writtenMs) {
      lost.addAll(resume(resumedOnce, resumedMs, nowMs).orElseThrow());
    }
    return lost;
  }

  private static Optional<Long> at(Schedule schedule) {
    return schedule.getTrigger() instanceof OnceTrigger once
        ? Optional.ofNullable(once.getAt()).map(Instant::toEpochMilli)
        : Optional.empty();
  }

  /**
   * @param mayBeComplete whether the walk has recorded a completion yet, the reference does not
   *     know
   */
  private void redefineFailures(RevisionModel old, RevisionModel young, boolean mayBeComplete) {
    if (!countsFailures(young)) {
      runs.forgetFailures();
      return;
    }
    runs.note();
    if (!countsFailures(old)) {
      runs.countAfter(young.ownsAfterMs);
    } else if (mayBeComplete) {
      runs.mayBeForgotten();
    }
  }

  private static boolean countsFailures(RevisionModel revision) {
    return revision.schedule.getPauseAfterFailures() != null;
  }

  /**
   * True when the definition ends a pause by one before it, and wants a fire for what that held.
   */
  private boolean firesForItsPause(Schedule definition) {
    return definition.getEnabled()
        && definition.getOnResume() == OnResume.FIRE_ONCE
        && commanded.pausedAt.isEmpty()
        && !current().active
        && !current().isOnce();
  }

  /**
   * An edit looks at what replaced revisions have missed for certain; what is left out of it is
   * told at once.
   */
  private List<Outcome> leaveOut(long nowMs) {
    List<Outcome> lost = new ArrayList<>();
    if (commanded.held.isPresent() || runs.run.isPresent()) {
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

  /** True when a resume was given after a pause of that time. */
  boolean isOvertaken(long atMs, long nowMs) {
    return resumedMs > Math.min(atMs, nowMs);
  }

  /** A pause by command; empty when it was paused so already, or nothing is left of the pause. */
  Optional<List<Outcome>> pause(String note, long atMs, long nowMs) {
    return pause(note, Math.min(atMs, nowMs), nowMs, false);
  }

  private Optional<List<Outcome>> pause(String note, long at, long nowMs, boolean byReport) {
    if (resumedMs <= at) {
      return hold(note, at, byReport);
    }
    if (!current().active || commanded.held.isPresent()) {
      return Optional.empty();
    }
    List<Outcome> lost = new ArrayList<>(hold(note, at, byReport).orElseThrow());
    lost.addAll(resume(resumedOnce, resumedMs, nowMs).orElseThrow());
    boolean isFelt = !lost.isEmpty() || commanded.held.isPresent() || countsFailures(current());
    return isFelt ? Optional.of(lost) : Optional.empty();
  }

  private Optional<List<Outcome>> hold(String note, long at, boolean byReport) {
    long since = Math.max(at, current().effectiveMs);
    boolean isNewest = commanded.pausedAt.isEmpty() || at >= pausedMs;
    boolean saysMore = isNewest && !note.equals(pauseNote);
    if (isNewest) {
      pauseNote = note;
      pausedMs = at;
      isPausedByReport = byReport;
    }
    if (commanded.pausedAt.isPresent()) {
      boolean isLonger = since < commanded.pausedAt.get();
      commanded.pausedAt = Optional.of(Math.min(since, commanded.pausedAt.get()));
      return saysMore || isLonger ? Optional.of(List.of()) : Optional.empty();
    }
    commanded.pausedAt = Optional.of(since);
    if (!current().active) {
      return Optional.of(List.of());
    }
    List<Outcome> lost = writeOff(since, MissedReason.PAUSED);
    commanded.held = Optional.empty();
    RevisionModel current = current();
    revisions.clear();
    revisions.add(current);
    current.active = false;
    return Optional.of(lost);
  }

  /** True when the pause in force was written after a resume, or by a report as the resume was. */
  boolean isOlderThanPause(long atMs, long nowMs) {
    long at = Math.min(atMs, nowMs);
    return commanded.pausedAt.isPresent() && (isPausedByReport ? at <= pausedMs : at < pausedMs);
  }

  /** True when a definition that disables was not written before a resume by command. */
  boolean outlives(long atMs, long nowMs) {
    RevisionModel r = current();
    return !r.schedule.getEnabled() && Math.min(atMs, nowMs) <= r.declaredMs;
  }

  /**
   * A resume by command, which is remembered for definitions that are older than it; empty when
   * nothing changes but that. One that the definition in force outlives ends the pause of a command
   * only.
   */
  Optional<List<Outcome>> resumeBy(boolean fireOnce, long atMs, long nowMs) {
    long at = Math.min(atMs, nowMs);
    if (isOlderThanPause(atMs, nowMs)) {
      return Optional.empty();
    }
    if (!outlives(atMs, nowMs)) {
      remember(fireOnce, at);
      return resume(fireOnce, atMs, nowMs);
    }
    if (commanded.pausedAt.isPresent()) {
      remember(fireOnce, at);
      commanded.pausedAt = Optional.empty();
      return Optional.of(List.of());
    }
    if (current().active) {
      remember(fireOnce, at);
    }
    return Optional.empty();
  }

  private void remember(boolean fireOnce, long at) {
    if (at > resumedMs) {
      resumedMs = at;
      resumedOnce = fireOnce;
    }
  }

  /** A resume; empty when nothing held the schedule. */
  Optional<List<Outcome>> resume(boolean fireOnce, long atMs, long nowMs) {
    RevisionModel r = current();
    if (r.active) {
      return Optional.empty();
    }
    long until =
        Math.max(
            Math.max(Math.min(atMs, nowMs), r.effectiveMs),
            commanded.pausedAt.orElse(Long.MIN_VALUE));
    if (countsFailures(r)) {
      runs.forgive(Optional.ofNullable(r.decided.floor(until)).orElse(r.ownsAfterMs));
    }
    commanded.pausedAt = Optional.empty();
    r.active = true;
    wasResumed = true;
    List<Long> held = r.undecidedThrough(until);
    List<Long> fireable = held.stream().filter(at -> !r.leftOut(at)).toList();
    if (fireOnce && !fireable.isEmpty()) {
      long last = fireable.get(fireable.size() - 1);
      commanded.held =
          Optional.of(
              new CommandedModel.Held(
                  last,
                  until,
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

  /**
   * What a life has decided, which bounds the next.
   *
   * @param throughMs inclusive: the instant up to which it owned occurrences
   */
  record Ended(long throughMs, Optional<Long> lastOccurrence) {}

  /** A pause that found neither an occurrence to come nor a run: it is refused while one is up. */
  private boolean isPausedInVain() {
    return current().schedule.getEnabled()
        && commanded
            .pausedAt
            .filter(at -> runs.run.filter(run -> run.end() >= at).isEmpty())
            .isPresent();
  }

  /** True when nothing of it is left that could fire. */
  boolean isOver() {
    return (current().active || isPausedInVain())
        && commanded.manual.isEmpty()
        && revisions.stream().noneMatch(RevisionModel::hasUndecided);
  }

  /** The progress of this life and earlier ones, after it has written off its rest. */
  Ended ended(long throughMs) {
    Optional<Long> last =
        Optional.of(current().decided).filter(d -> !d.isEmpty()).map(NavigableSet::last);
    return new Ended(
        Math.max(Math.max(throughMs, current().effectiveMs), last.orElse(throughMs)),
        last.or(() -> current().spokenFor));
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
    List<Outcome> outcomes = new TickModel(this, nowMs).run();
    forgetEndedRun();
    return outcomes;
  }

  /** The oldest revision with something undecided; empty while the schedule is held. */
  Optional<RevisionModel> head() {
    return current().active
        ? revisions.stream().filter(RevisionModel::hasUndecided).findFirst()
        : Optional.empty();
  }

  /** Since when nothing is decided; empty for one that is not paused. */
  Optional<Long> heldSince() {
    boolean enabled = current().schedule.getEnabled();
    return current().active
        ? Optional.empty()
        : Optional.of(
            Math.min(
                commanded.pausedAt.orElse(Long.MAX_VALUE),
                enabled ? Long.MAX_VALUE : current().effectiveMs));
  }

  /** True for something undecided that nothing held back any more at that time. */
  boolean wasDue(RevisionModel r, long at, long ms) {
    return current().active && r.dueMs(at) <= ms && !waits(r, at, ms);
  }

  /** True for something due that has to wait for the end of a run. */
  boolean waits(RevisionModel r, long at, long nowMs) {
    return !r.leftOut(at)
        && runs.before(r.schedule, r.dueMs(at))
            .map(run -> isOrdered(at) ? run.end() : run.knownAt(r.schedule, r.dueMs(at)))
            .filter(known -> known > nowMs)
            .isPresent();
  }

  boolean isReplayed(RevisionModel r, long at) {
    return at <= r.replayThrough;
  }

  /** True when something is due that need not wait for the end of a run. */
  boolean isOwed(long nowMs) {
    return isBehind(nowMs) && head().filter(r -> mayWait(r, nowMs)).isEmpty();
  }

  private boolean mayWait(RevisionModel r, long nowMs) {
    long at = r.undecidedThrough(Long.MAX_VALUE).get(0);
    boolean mayBeReplayed = r.schedule.getCatchUp() == CatchUp.REPLAY;
    boolean mayBeHeld =
        mayBeReplayed || isOrdered(at) || r.schedule.getOverlap() == Overlap.BUFFER_ONE;
    return !r.leftOut(at)
        && runs.before(r.schedule, r.dueMs(at))
            .filter(run -> mayBeHeld || r.dueMs(at) < run.firedAt())
            .filter(run -> run.end() > nowMs)
            .isPresent();
  }

  /** True when a Resume has ordered it. */
  boolean isOrdered(long at) {
    return commanded.held.filter(fire -> fire.at() == at).isPresent();
  }

  /** When a Resume has ordered it, or the earliest instant. */
  long orderedMs(long at) {
    return commanded
        .held
        .filter(fire -> fire.at() == at)
        .map(CommandedModel.Held::orderedMs)
        .orElse(Long.MIN_VALUE);
  }

  /** What else the fire that a Resume has ordered stands for; the order is carried out. */
  Optional<Outcome.Group> takeOrdered(long at) {
    Optional<Outcome.Group> group =
        commanded.held.filter(fire -> fire.at() == at).flatMap(CommandedModel.Held::group);
    commanded.held = commanded.held.filter(fire -> fire.at() != at);
    return group;
  }

  /** A worker reports a fire; returns the ranges that a resulting pause writes off. */
  List<Outcome> report(RunsModel.Report report, long writtenMs, long nowMs) {
    runs.reported(report, writtenMs, nowMs);
    Integer most = current().schedule.getPauseAfterFailures();
    boolean pauses =
        most != null && current().active && mayHaveFired(report.at()) && runs.fails(report, most);
    List<Outcome> lost = List.of();
    if (pauses) {
      long at = Math.max(Math.min(writtenMs, nowMs), runs.lastFailed());
      lost = pause("failures", at, nowMs, true).orElse(List.of());
    }
    forgetEndedRun();
    return lost;
  }

  /** The occurrences of earlier definitions are unknown: the state has none of them. */
  private boolean mayHaveFired(long at) {
    return at <= current().ownsAfterMs || current().decided.contains(at);
  }

  /** A run that is over matters only as long as something that came due before is undecided. */
  void forgetEndedRun() {
    runs.run =
        runs.run.filter(
            run ->
                !run.isOver()
                    || head()
                        .filter(r -> r.dueMs(r.undecidedThrough(Long.MAX_VALUE).get(0)) < run.end())
                        .isPresent());
  }

  Outcome lost(RevisionModel r, long at, MissedReason reason, Optional<Long> into) {
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
        id, revision, schedule, effective, ownsAfter, ownsAfter, resolved, end, dueFloor, spokenFor,
        horizonMs, calendars, commanded);
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
        sameBounds ? old.namesAfterMs : ownsAfter,
        old.resolved,
        end,
        dueFloor,
        spokenFor,
        horizonMs,
        calendars,
        commanded);
  }

  private Optional<Long> countedEnd(Schedule schedule, Optional<Long> resolved, long ownsAfter) {
    Long max = schedule.getMaxOccurrences();
    if (max == null) {
      return Optional.empty();
    }
    NavigableSet<Long> all = TriggerModel.between(schedule, resolved, ownsAfter + 1, horizonMs);
    return all.stream().skip(max - 1).findFirst().map(last -> last + 1);
  }

  /** A single instant without a name of its own is one that no occurrence has. */
  private static long said(Schedule schedule, long effective, Optional<Long> spokenFor) {
    boolean isRelative = schedule.getTrigger() instanceof OnceTrigger once && once.getAt() == null;
    return isRelative
        ? Math.max(effective, spokenFor.map(last -> last + 1).orElse(effective))
        : effective;
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
