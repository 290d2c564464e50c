package io.waterclock.topology.decide;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.ResumeCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The rules of Waterclock as one function from state and event to what follows from it.
 *
 * <p>Reads no clock and no topic, so tables and random traces reach every rule. A call costs a few
 * searches of the trigger, independent of how much was missed, but for definitions with {@code
 * max_occurrences} or {@code max_replay} on cron, which step that far once. Not thread-safe: one
 * per task.
 */
public final class Decider {
  private static final ResumeCommand FIRE_ONCE =
      ResumeCommand.newBuilder().setOnResume(OnResume.FIRE_ONCE).build();

  private final Timetables tables;
  private final Undecided undecided;
  private final Definition definition;
  private final Adoption adoption;
  private final Removal removal;
  private final CatchUpRules catchUp;
  private final Review review;
  private final Commands commands;
  private final ExtraFires extraFires;
  private final Reports reports;
  private final Pausing pausing;

  /**
   * @param completedRetention how long a completed schedule is kept
   */
  public Decider(Timetables tables, Duration completedRetention) {
    this.tables = tables;
    this.undecided = new Undecided(tables);
    this.definition = new Definition(tables, undecided);
    this.adoption = new Adoption(tables, undecided);
    this.removal = new Removal(tables, undecided);
    this.catchUp = new CatchUpRules(tables, undecided);
    this.review = new Review(tables, undecided, completedRetention);
    this.extraFires = new ExtraFires(tables, undecided);
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
    return undecided.pending(undecided.settle(state));
  }

  /**
   * Since when a schedule that waits for the end of a run has had something due; empty when it
   * waits for none. The occurrence is undecided until then.
   */
  public Optional<Instant> heldBackSince(ScheduleState state) {
    return undecided.heldBackSince(undecided.settle(state));
  }

  /**
   * @param state empty when the schedule is unknown, which only a definition or a delete may find
   * @param now the task's clock, which never runs backwards
   */
  public Decision decide(ScheduleId id, Optional<ScheduleState> state, Event event, Instant now) {
    Decision decision = decideAll(id, state, event, now);
    return decision.state().isEmpty() || decision.state().get().runs().latest().isEmpty()
        ? decision
        : decision.with(undecided.forgetEndedRun(decision.state().get()));
  }

  private Decision decideAll(
      ScheduleId id, Optional<ScheduleState> state, Event event, Instant now) {
    if (event instanceof Event.Defined defined) {
      if (state.isEmpty()) {
        return definition.first(id, defined, now);
      }
      return tables.canCompile(state.get())
          ? edit(state.get(), defined, now)
          : definition.replaceUnusable(state.get(), defined, now);
    }
    if (event instanceof Event.Imported imported) {
      return state.isEmpty()
          ? adoption.adopt(id, imported, now)
          : decide(id, state, imported.asDefined(), now);
    }
    if (event instanceof Event.Deleted deleted) {
      return removal.delete(state, deleted, now);
    }
    ScheduleState known = state.orElseThrow();
    if (event instanceof Event.Due) {
      return catchUp.due(known, now);
    }
    if (event instanceof Event.Commanded commanded) {
      return commands.execute(known, commanded, now);
    }
    if (event instanceof Event.Reported report) {
      return reports.report(known, report, now);
    }
    if (event instanceof Event.ManualDue due) {
      return extraFires.fireManual(known, due.most());
    }
    if (event instanceof Event.BackfillDue due) {
      return extraFires.goOn(known, due.most());
    }
    if (event instanceof Event.Failed failed) {
      return review.park(known, failed.reason());
    }
    return review.review(known, now);
  }

  /** Where the new definition wants it, what the old one held fires once, as after a Resume. */
  private Decision edit(ScheduleState before, Event.Defined event, Instant now) {
    if (!pausing.firesOnceBy(event.schedule(), before)) {
      return definition.edit(before, event, now);
    }
    Instant at = event.timestamp().isBefore(now) ? event.timestamp() : now;
    Decision resumed = pausing.resume(before, FIRE_ONCE, at);
    Decision edited = definition.edit(resumed.state().orElseThrow(), event, now);
    return edited.alsoMissing(resumed.missed());
  }
}
