package io.waterclock.topology.scheduler.decide;

import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.model.Timetables;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The rules of Waterclock as one function from state and event to what follows from it.
 *
 * <p>Reads no clock and no topic, so tables and random traces reach every rule. A call costs a few
 * searches of the trigger, independent of how much was missed, and never more than {@link
 * io.waterclock.occurrences.core.Effort#DECISION} steps: what does not fit goes on with the next
 * call, or is told in one range; a schedule of which even that takes more steps cannot be decided,
 * which is an exception here and a fault of that schedule for who calls. Not thread-safe: one per
 * task.
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
  private final CommandedFires extraFires;
  private final Reports reports;
  private final Pausing pausing;

  /**
   * @param completedRetention how long a completed schedule is kept
   */
  public Decider(Timetables tables, Duration completedRetention) {
    this.tables = tables;
    this.undecided = new Undecided(tables);
    this.definition = new DefinitionRules(tables, undecided);
    this.adoption = new Adoption(tables, undecided);
    this.removal = new Removal(tables, undecided);
    this.catchUp = new CatchUpRules(tables, undecided);
    this.review = new Review(tables, undecided, completedRetention);
    this.extraFires = new CommandedFires(tables, undecided);
    this.pausing = new Pausing(tables, undecided, new CommandReplies(undecided));
    this.commands = new Commands(tables, undecided, pausing, extraFires);
    this.reports = new Reports(tables, undecided, pausing);
  }

  /** The compiled triggers that this decider works with. */
  public Timetables tables() {
    return tables;
  }

  /** What a schedule waits for; empty when it is paused, parked or complete. */
  public Optional<Occurrence> pending(ScheduleState state) {
    tables.effort().renew();
    return undecided.pending(undecided.settle(state));
  }

  /**
   * Since when a schedule that waits for the end of a run has had something due; empty when it
   * waits for none. The occurrence is undecided until then.
   */
  public Optional<Instant> heldBackSince(ScheduleState state) {
    tables.effort().renew();
    return undecided.heldBackSince(undecided.settle(state));
  }

  /**
   * @param state empty when the schedule is unknown, which only a definition or a delete may find
   * @param now the task's clock, which never runs backwards
   * @throws EffortSpentException if it takes too many steps
   */
  public Decision decide(ScheduleId id, Optional<ScheduleState> state, Event event, Instant now) {
    tables.effort().renew();
    Decision decision;
    try {
      decision = event.on(new Rules(id, state, now));
    } catch (EffortSpentException e) {
      boolean replaces =
          event instanceof Event.Defined
              || event instanceof Event.Imported
              || event instanceof Event.Deleted;
      if (state.isEmpty()) {
        throw e;
      }
      if (!replaces) {
        tables.refuse(state.get().head());
        tables.refuse(state.get().current());
        throw e;
      }
      decision = withoutUndecided(id, state.get(), event, now);
    }
    return decision.state().isEmpty() || decision.state().get().runs().latest().isEmpty()
        ? decision
        : decision.with(undecided.forgetEndedRun(decision.state().get()));
  }

  /**
   * What was defined can be replaced and deleted even where it costs too much to say what of it is
   * undecided; then none of that is named, as where it does not compile.
   */
  private Decision withoutUndecided(ScheduleId id, ScheduleState state, Event event, Instant now) {
    tables.effort().renew();
    tables.refuse(state.current());
    try {
      return event.on(new Rules(id, Optional.of(state), now));
    } catch (EffortSpentException e) {
      tables.allow(state.current()); // the new definition is to blame
      throw e;
    }
  }

  /** What each event leads to. */
  private final class Rules implements Event.Cases<Decision> {
    private final ScheduleId id;
    private final Optional<ScheduleState> state;
    private final Instant now;

    private Rules(ScheduleId id, Optional<ScheduleState> state, Instant now) {
      this.id = id;
      this.state = state;
      this.now = now;
    }

    @Override
    public Decision defined(Event.Defined event) {
      if (state.isEmpty()) {
        return definition.first(id, event, now);
      }
      return tables.canCompile(state.get())
          ? edit(state.get(), event, now)
          : definition.replaceUnusable(state.get(), event, now);
    }

    @Override
    public Decision imported(Event.Imported event) {
      return state.isEmpty() ? adoption.adopt(id, event, now) : defined(event.asDefined());
    }

    @Override
    public Decision deleted(Event.Deleted event) {
      return removal.delete(state, event, now);
    }

    @Override
    public Decision due() {
      return catchUp.due(known(), now);
    }

    @Override
    public Decision failed(Event.Failed event) {
      return review.park(known(), event.reason());
    }

    @Override
    public Decision reviewed() {
      return review.review(known(), now);
    }

    @Override
    public Decision commanded(Event.Commanded event) {
      return commands.execute(known(), event, now);
    }

    @Override
    public Decision reported(Event.Reported event) {
      return reports.report(known(), event, now);
    }

    @Override
    public Decision manualDue(Event.ManualDue event) {
      return extraFires.fireManual(known(), event.most());
    }

    @Override
    public Decision backfillDue(Event.BackfillDue event) {
      return extraFires.goOn(known(), event.most());
    }

    private ScheduleState known() {
      return state.orElseThrow();
    }
  }

  /** A Resume that was written after the definition, and read before it, overrides it. */
  private Decision edit(ScheduleState before, Event.Defined event, Instant now) {
    Decision edited = replace(before, event, now);
    Optional<Decision> resumed = pausing.overriding(edited.state().orElseThrow(), before);
    return resumed.isPresent() ? edited.followedBy(resumed.get()) : edited;
  }

  /** Where the new definition wants it, what the old one held fires once, as after a Resume. */
  private Decision replace(ScheduleState before, Event.Defined event, Instant now) {
    if (!pausing.firesOnceBy(event.schedule(), before)) {
      return definition.edit(before, event, now);
    }
    Instant at = event.timestamp().isBefore(now) ? event.timestamp() : now;
    Decision resumed = pausing.resume(before, FIRE_ONCE, at);
    Decision edited = definition.edit(resumed.state().orElseThrow(), event, now);
    return edited.alsoMissing(resumed.missed());
  }
}
