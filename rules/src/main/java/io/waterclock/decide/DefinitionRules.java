package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.MissedRange.Why;
import io.waterclock.decide.model.Past;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.RevisionChange;
import io.waterclock.decide.model.Runs;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.definition.Triggers;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.policy.CatchUpPolicy;
import io.waterclock.schemas.text.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * New definitions and edits, by nominal time: the old revision owns the occurrences up to the
 * record's timestamp (or up to the last one it has decided, if that is later), the new one those
 * after it.
 *
 * @param completedRetention how long a completed schedule is kept
 */
record DefinitionRules(
    Timetables tables, Undecided undecided, CatchUpRules catchUp, Duration completedRetention) {
  Decision first(ScheduleId id, Event.Defined event, Instant now) {
    Optional<EarlierLives> earlier = event.earlier();
    Instant effective =
        Instants.later(
            Instants.earlier(event.timestamp(), now), earlier.map(EarlierLives::endedThrough));
    Optional<Instant> lastOccurrence = earlier.flatMap(EarlierLives::lastOccurrence);
    Accepted accepted =
        accept(
            id,
            event,
            effective,
            resolve(event.schedule(), effective, lastOccurrence),
            lastOccurrence,
            Past.NONE,
            now);
    Accepted born = earlier.isEmpty() ? accepted : born(accepted);
    ScheduleState state = ScheduleState.of(id, born, born.ownsAfter(), Optional.empty());
    return accepted(state, List.of(), List.of(new RevisionChange.Began(born)));
  }

  /** The first revision of a life, whose id has had an earlier one. */
  private static Accepted born(Accepted first) {
    return first.with(Past.NONE.bornAfter(first.ownsAfter()));
  }

  /**
   * An instant that counts from now must be after the owned occurrences, so that it is a new one.
   */
  private Optional<Instant> resolve(
      Schedule schedule, Instant effective, Optional<Instant> ownedBefore) {
    Instant said = Instants.later(effective, ownedBefore.map(last -> last.plusMillis(1)));
    return Triggers.resolve(
        schedule, tables.zone(schedule), Triggers.isCountedFromNow(schedule) ? said : effective);
  }

  Decision edit(ScheduleState known, Event.Defined event, Instant now) {
    ScheduleState unpaused = tables.withoutVainPause(known);
    boolean beginsAnew = beginsAnew(unpaused, event, now);
    ScheduleState open = beginsAnew ? anew(unpaused, event.timestamp()) : unpaused;
    Accepted old = open.current();
    boolean rearms = rearms(old, event, now) || beginsAnew;
    if ((!beginsAnew && movesBack(old, event.schedule()))
        || (!rearms && old.snapshot().equals(event.definition()))) {
      return unchanged(open, Instants.earlier(event.timestamp(), now));
    }
    ScheduleState before = open.with(open.commanded().replacing(old));
    Optional<Instant> lastDecided = lastDecided(before);
    Instant effective =
        Instants.later(
            Instants.later(Instants.earlier(event.timestamp(), now), old.beganBy(now)),
            lastDecided);
    boolean sameTrigger =
        !rearms
            && old.schedule().getTrigger().equals(event.schedule().getTrigger())
            && old.schedule().getDialect() == event.schedule().getDialect();
    Optional<Instant> ownedBefore =
        tables.of(before.id(), old).lastOwned(effective).or(old::ownedBefore);
    CommandState commanded = before.commanded().redefined();
    boolean staysHeld = commanded.pause().isPresent() || !event.schedule().getEnabled();

    Past edited = old.past().edited(old.schedule(), event.schedule(), effective);
    Past past =
        before.isHeld() && !staysHeld
            ? edited.heldUntil(Instants.earlier(event.timestamp(), now))
            : edited;
    boolean firesOnResume =
        sameTrigger
            && undecided.isHeldOnce(before, effective)
            && (staysHeld || CatchUpPolicy.of(event.schedule()).firesMissed())
            && occurs(
                before.id(),
                successor(before.id(), old, event, effective, ownedBefore, past, true, now));
    Accepted next =
        sameTrigger
            ? successor(before.id(), old, event, effective, ownedBefore, past, firesOnResume, now)
            : accept(
                before.id(),
                event,
                effective,
                resolve(event.schedule(), effective, ownedBefore),
                ownedBefore,
                past,
                now);
    Accepted accepted = beginsAnew ? born(next) : next;
    List<RevisionChange> revisions = new ArrayList<>(2);
    if (before.completedAt().isEmpty()) {
      revisions.add(new RevisionChange.Ended(old, effective, RevisionEnd.REPLACED));
    }
    revisions.add(new RevisionChange.Began(accepted));
    List<MissedRange> missed = new ArrayList<>();
    Runs runs = before.runs().redefined(beginsAnew ? accepted : old, accepted);
    if (!before.isHeld() && !staysHeld) {
      Instant clock = event.clock().orElse(now);
      return accepted(handOver(before, accepted, runs, clock, missed), missed, revisions);
    }
    if (!firesOnResume) {
      missed.addAll(undecided.writeOff(before, effective, Why.paused(effective)));
    }
    return accepted(afresh(before, accepted, runs), missed, revisions);
  }

  /**
   * Replaces a revision that no longer compiles. Its undecided occurrences cannot be named; the new
   * revision starts where the old one's progress ended. Any instant up to there may have fired, so
   * a single instant in that past does not fire. What waits for the old one fires by the new one.
   */
  Decision replaceUnusable(ScheduleState before, Event.Defined event, Instant now) {
    Accepted old = before.current();
    Instant effective =
        Instants.later(
            Instants.later(Instants.earlier(event.timestamp(), now), old.effectiveAt()),
            Optional.of(before.decidedThrough()));
    Accepted accepted =
        accept(
            before.id(),
            event,
            effective,
            resolve(event.schedule(), effective, Optional.of(before.decidedThrough())),
            Optional.of(Instants.later(before.decidedThrough(), old.ownedBefore())),
            old.past().edited(old.schedule(), event.schedule(), effective),
            now);
    WaitingFires fires = before.commanded().fires().movedTo(accepted, old);
    return accepted(
        afresh(
            before.with(before.commanded().withFires(fires)),
            accepted,
            before.runs().redefined(old, accepted)),
        List.of(),
        List.of(
            new RevisionChange.Ended(old, effective, RevisionEnd.REPLACED),
            new RevisionChange.Began(accepted)));
  }

  /** The new state without the old revision; commands' fires and runs stay. */
  private static ScheduleState afresh(ScheduleState before, Accepted accepted, Runs runs) {
    return ScheduleState.of(before.id(), accepted, accepted.ownsAfter(), Optional.empty())
        .with(before.commanded().redefined().holding(Optional.empty()))
        .with(runs)
        .decidedThrough(accepted.ownsAfter());
  }

  /** The new state when neither revision is paused: the old one keeps its undecided occurrences. */
  private ScheduleState handOver(
      ScheduleState before, Accepted accepted, Runs runs, Instant now, List<MissedRange> missed) {
    List<ReplacedRevision> older = new ArrayList<>(before.older());
    if (!isFree(before, accepted.effectiveAt())) {
      older.add(new ReplacedRevision(before.nextSeq(), before.current()));
    }
    ScheduleState state =
        new ScheduleState(
            before.id(),
            accepted,
            before.decidedThrough(),
            before.carried(),
            List.copyOf(older),
            before.replayThrough(),
            Optional.empty(),
            Optional.empty(),
            before.commanded().redefined(),
            runs);
    return undecided.settle(catchUp.carryMissed(undecided.settle(state), now, missed));
  }

  /**
   * True when neither the current revision nor the one before it has an occurrence where the
   * current one owns them. Then the one before it can own this time as well: so many edits while an
   * occurrence is undecided do not keep many definitions.
   *
   * @param through inclusive: where the current revision ends
   */
  private boolean isFree(ScheduleState state, Instant through) {
    List<ReplacedRevision> older = state.older();
    return !older.isEmpty()
        && isFree(state.id(), state.current(), state.current().ownsAfter(), through)
        && isFree(
            state.id(),
            older.get(older.size() - 1).accepted(),
            state.current().effectiveAt(),
            through);
  }

  private boolean isFree(ScheduleId id, Accepted revision, Instant after, Instant through) {
    return tables
        .of(id, revision)
        .nextAfter(after)
        .filter(occurrence -> !occurrence.at().isAfter(through))
        .isEmpty();
  }

  private Decision accepted(
      ScheduleState state, List<MissedRange> missed, List<RevisionChange> revisions) {
    return Decision.of(state, undecided.pending(state))
        .withMissed(missed)
        .withRevisions(revisions)
        .withStatus(Optional.of(state.life()))
        .withVerdict(Verdict.ACCEPTED);
  }

  /**
   * True for a record that restarts the trigger. Only a later record than the last one restarts it,
   * so that a record that is read twice restarts it once.
   */
  private static boolean rearms(Accepted old, Event.Defined event, Instant now) {
    return event.schedule().getRearm()
        && Triggers.countsFromRecord(event.schedule().getTrigger())
        && Instants.earlier(event.timestamp(), now).isAfter(old.writtenAt());
  }

  /**
   * True for a record that was written when a scheduler that was up had completed the schedule and
   * removed it after its retention: it begins a new life, even if it has the same definition. Runs
   * and backfills, which a scheduler that is down does not know, postpone nothing here. An import
   * says what became of the schedule: it continues.
   */
  private boolean beginsAnew(ScheduleState before, Event.Defined event, Instant now) {
    Instant by = Instants.earlier(event.timestamp(), now).minus(completedRetention);
    return !event.continues()
        && !before.isHeld()
        && tables.isOver(before.id(), before.current(), by)
        && before.current().resumed().filter(resumed -> resumed.at().isAfter(by)).isEmpty();
  }

  /**
   * The same, as a new life takes it over: without failures, and without skips of what is due after
   * its first record.
   */
  private static ScheduleState anew(ScheduleState state, Instant writtenAt) {
    List<Instant> skips =
        state.commanded().skips().stream().filter(at -> !at.isAfter(writtenAt)).toList();
    return state.with(state.runs().forgiven()).with(state.commanded().skipping(skips));
  }

  /**
   * True for a timer at an instant before the one in force, fired or not: with rearm such a timer
   * only moves to a later instant, so that events that arrive in any order leave the latest one.
   */
  private static boolean movesBack(Accepted old, Schedule schedule) {
    return schedule.getRearm()
        && schedule.getTrigger() instanceof OnceTrigger timer
        && timer.getAt() != null
        && old.schedule().getTrigger() instanceof OnceTrigger
        && old.resolvedAt().filter(timer.getAt()::isBefore).isPresent();
  }

  /** Only the timestamp of the definition in force changes. */
  private Decision unchanged(ScheduleState before, Instant writtenAt) {
    ScheduleState state = before.saidAgain(writtenAt);
    return Decision.of(state, undecided.pending(state)).withVerdict(Verdict.UNCHANGED);
  }

  /** The latest occurrence that the current revision has decided. */
  private Optional<Instant> lastDecided(ScheduleState state) {
    return state.older().isEmpty()
        ? tables.of(state.id(), state.current()).lastOwned(state.decidedThrough())
        : Optional.empty();
  }

  /** A revision with a trigger that is new to the schedule. */
  private Accepted accept(
      ScheduleId id,
      Event.Defined event,
      Instant effective,
      Optional<Instant> resolved,
      Optional<Instant> ownedBefore,
      Past past,
      Instant now) {
    Schedule schedule = event.schedule();
    Instant ownsAfter = effective;
    Optional<Instant> dueFloor = Optional.empty();
    if (schedule.getTrigger() instanceof OnceTrigger) {
      Instant at = resolved.orElseThrow();
      boolean isPast = !at.isAfter(effective);
      if (isPast && ownedBefore.filter(owned -> !at.isAfter(owned)).isEmpty()) {
        ownsAfter = at.minusMillis(1);
        dueFloor = Optional.of(effective);
      }
    }
    return new Accepted(
        event.definition(),
        event.revision(),
        effective,
        ownsAfter,
        ownsAfter,
        resolved,
        Triggers.end(schedule, tables.trigger(id, schedule, resolved), ownsAfter),
        dueFloor,
        ownedBefore,
        Instants.earlier(event.timestamp(), now),
        past);
  }

  /** A revision that keeps the trigger of the one before it, and so its anchor and its count. */
  private Accepted successor(
      ScheduleId id,
      Accepted old,
      Event.Defined event,
      Instant effective,
      Optional<Instant> ownedBefore,
      Past past,
      boolean firesOnResume,
      Instant now) {
    Schedule schedule = event.schedule();
    Instant ownsAfter = firesOnResume ? old.resolvedAt().orElseThrow().minusMillis(1) : effective;
    boolean sameBounds = Triggers.haveSameBounds(old.schedule(), schedule);
    return new Accepted(
        event.definition(),
        event.revision(),
        effective,
        ownsAfter,
        sameBounds ? old.namesAfter() : ownsAfter,
        old.resolvedAt(),
        sameBounds
            ? old.boundedBy()
            : Triggers.end(schedule, tables.trigger(id, schedule, old.resolvedAt()), ownsAfter),
        firesOnResume ? old.dueFloor() : Optional.empty(),
        ownedBefore,
        Instants.earlier(event.timestamp(), now),
        past);
  }

  private boolean occurs(ScheduleId id, Accepted accepted) {
    return tables.of(id, accepted).nextAfter(accepted.ownsAfter()).isPresent();
  }
}
