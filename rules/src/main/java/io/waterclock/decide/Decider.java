package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.decide.model.Written;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.ResumeCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The rules of Waterclock as one function from state and event to a decision.
 *
 * <p>Reads no clock and no topic, so tables and random traces can test every rule. A call costs a
 * few searches of the trigger, for any number of missed occurrences, and never more than {@link
 * io.waterclock.occurrences.core.Effort#DECISION} steps: the next call continues the rest, or one
 * range covers it. If even that needs more steps, the call throws an exception, and the caller
 * makes the schedule FAULTED. Not thread-safe: one per task.
 */
public final class Decider {
  private static final ResumeCommand FIRE_ONCE =
      ResumeCommand.newBuilder().setOnResume(OnResume.FIRE_ONCE).build();

  private final Timetables tables;
  private final Undecided undecided;
  private final DefinitionRules definition;
  private final Adoption adoption;
  private final Removal removal;
  private final CatchUpRules catchUp;
  private final Review review;
  private final Commands commands;
  private final CommandedFires commandedFires;
  private final Reports reports;
  private final Pausing pausing;

  /**
   * A decider for which no schedule is failing.
   *
   * @param completedRetention how long a completed schedule is kept
   */
  public Decider(Timetables tables, Duration completedRetention) {
    this(tables, completedRetention, 0);
  }

  /**
   * @param completedRetention how long a completed schedule is kept
   * @param failingAfter after how many failed fires in a row a schedule is failing; 0: never
   */
  public Decider(Timetables tables, Duration completedRetention, int failingAfter) {
    this.tables = tables;
    this.undecided = new Undecided(tables);
    this.adoption = new Adoption(tables, undecided);
    this.removal = new Removal(tables, undecided);
    this.catchUp = new CatchUpRules(tables, undecided);
    this.definition = new DefinitionRules(tables, undecided, catchUp, completedRetention);
    this.review = new Review(tables, undecided, completedRetention);
    CommandReplies replies = new CommandReplies(undecided);
    this.commandedFires = new CommandedFires(tables, undecided, replies);
    this.pausing = new Pausing(tables, undecided, replies);
    this.commands =
        new Commands(
            undecided, replies, pausing, new Skipping(tables, undecided, replies), commandedFires);
    this.reports = new Reports(tables, undecided, pausing, failingAfter);
  }

  /** The compiled triggers that this decider works with. */
  public Timetables tables() {
    return tables;
  }

  /**
   * What a schedule waits for; empty when it is paused, faulted or complete. Never fails for a
   * faulted schedule, whose revisions may be refused or not compile.
   */
  public Optional<Pending> pending(ScheduleState state) {
    if (state.fault().isPresent()) {
      return Optional.empty();
    }
    tables.effort().renew();
    return ExpectationRules.pending(state, undecided.pending(undecided.settle(state)));
  }

  /**
   * The first occurrence that will fire, which neither calendars nor skips leave out; empty if none
   * is found. Costs about what the search for a new definition may cost.
   */
  public Optional<Occurrence> nextToFire(ScheduleState state) {
    tables.effort().renew();
    tables.effort().stopEarly(Effort.SEARCH);
    try {
      return undecided.toFire(undecided.settle(state), 1, Instant.MIN).stream().findFirst();
    } catch (EffortSpentException e) {
      return Optional.empty();
    }
  }

  /**
   * @param state empty when the schedule is unknown; only for definitions, imports and deletes
   * @param now the task's clock, which never runs backwards
   * @throws EffortSpentException if the decision needs too many steps
   */
  public Decision decide(ScheduleId id, Optional<ScheduleState> state, Event event, Instant now) {
    tables.effort().renew();
    Decision decision;
    try {
      decision = rule(id, state, event, now);
    } catch (EffortSpentException e) {
      decision = withLessEffort(id, state, event, now, e);
    }
    Decision settled =
        decision.state().isEmpty()
            ? decision
            : decision.with(undecided.forgetEndedRun(decision.state().get()));
    return ExpectationRules.follow(state, event, settled, now);
  }

  /** Decides without the revision that costs too much. */
  private Decision withLessEffort(
      ScheduleId id,
      Optional<ScheduleState> state,
      Event event,
      Instant now,
      EffortSpentException spent) {
    boolean replaces =
        event instanceof Event.Defined
            || event instanceof Event.Imported
            || event instanceof Event.Deleted;
    if (state.isEmpty()) {
      throw spent;
    }
    List<Accepted> replaced = replaced(event);
    if (!replaced.isEmpty()) {
      tables.effort().renew();
      replaced.forEach(tables::refuse);
      return rule(id, state, event, now);
    }
    if (!replaces) {
      tables.refuse(state.get().head());
      tables.refuse(state.get().current());
      throw spent;
    }
    return withoutUndecided(id, state.get(), event, now);
  }

  /** The replaced revisions by which the ordered fires of an event fire. */
  private static List<Accepted> replaced(Event event) {
    if (event instanceof Event.ManualDue manual) {
      return manual.fires().stream().flatMap(fire -> fire.under().stream()).distinct().toList();
    }
    return event instanceof Event.BackfillDue backfill
        ? backfill.under().stream().toList()
        : List.of();
  }

  /**
   * Replaces or deletes a schedule whose undecided occurrences cost too much to find. The decision
   * names none of them, as for a schedule that does not compile.
   */
  private Decision withoutUndecided(ScheduleId id, ScheduleState state, Event event, Instant now) {
    tables.effort().renew();
    tables.refuse(state.current());
    try {
      return rule(id, Optional.of(state), event, now);
    } catch (EffortSpentException e) {
      tables.allow(state.current()); // the new definition is the cause
      throw e;
    }
  }

  /** Applies the rule of an event. */
  private Decision rule(ScheduleId id, Optional<ScheduleState> state, Event event, Instant now) {
    if (event instanceof Event.Defined defined) {
      return define(id, state, defined, now);
    }
    if (event instanceof Event.Imported imported) {
      return state.isEmpty()
          ? adoption.adopt(id, imported, now)
          : define(id, state, imported.asDefined(), now);
    }
    if (event instanceof Event.Deleted deleted) {
      return removal.delete(state, deleted, now);
    }
    ScheduleState known = state.orElseThrow();
    if (event instanceof Event.Due due) {
      return catchUp.due(known, due.through().isBefore(now) ? due.through() : now, now);
    }
    if (event instanceof Event.Failed failed) {
      return review.fault(known, failed.reason());
    }
    if (event instanceof Event.Reviewed reviewed) {
      return review.review(known, reviewed.readThrough(), now);
    }
    if (event instanceof Event.Commanded commanded) {
      return commands.execute(known, commanded, now);
    }
    if (event instanceof Event.Reported reported) {
      return reports.report(known, reported, now);
    }
    if (event instanceof Event.BackfillReported reported) {
      return commandedFires.report(known, reported, now);
    }
    if (event instanceof Event.Waited waited) {
      return reports.waited(known, waited);
    }
    if (event instanceof Event.ManualDue manual) {
      return commandedFires.fireManual(known, manual.fires());
    }
    if (event instanceof Event.BackfillDue backfill) {
      return commandedFires.goOn(known, backfill.under(), backfill.most(), now);
    }
    throw new IllegalArgumentException("there is no rule for " + event);
  }

  private Decision define(
      ScheduleId id, Optional<ScheduleState> state, Event.Defined event, Instant now) {
    if (state.isEmpty()) {
      return definition.first(id, event, now);
    }
    return tables.canCompile(state.get())
        ? edit(state.get(), event, now)
        : definition.replaceUnusable(state.get(), event, now);
  }

  /** A Resume or a Pause with a later timestamp that was read before the definition acts on it. */
  private Decision edit(ScheduleState before, Event.Defined event, Instant now) {
    Decision edited = replace(before, event, now);
    Optional<Decision> resumed = pausing.overriding(edited.state().orElseThrow(), before);
    Decision enabled = resumed.map(edited::followedBy).orElse(edited);
    Written written = new Written(event.timestamp(), event.revision());
    Optional<Decision> held = pausing.holding(enabled.state().orElseThrow(), before, written);
    return held.map(enabled::followedBy).orElse(enabled);
  }

  /**
   * Fires once for the occurrences in the old definition's pause, as after a Resume, if the new
   * definition requests it.
   */
  private Decision replace(ScheduleState before, Event.Defined event, Instant now) {
    if (!pausing.firesOnceBy(event.schedule(), before)) {
      return definition.edit(before, event, now);
    }
    Instant at = event.timestamp().isBefore(now) ? event.timestamp() : now;
    Decision resumed = pausing.resume(before, FIRE_ONCE, at);
    // what was held was not complete
    Decision edited = definition.edit(resumed.state().orElseThrow(), event.continuing(), now);
    return edited.alsoMissing(resumed.missed());
  }
}
