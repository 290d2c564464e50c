package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Watch;
import io.waterclock.decide.model.Watches;
import io.waterclock.definition.ExpectedRuns;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Adds to a decision what it means for the expectations of the schedule: what is expected from now
 * on, and what became overdue or recovered.
 *
 * <p>Deadlines are decided like occurrences, by {@link Event.Due} alone, up to the instant by which
 * all input is read. Nothing is expected of fires that commands order, of occurrences that do not
 * fire, in a pause, and by a definition that an edit has replaced. Costs three comparisons for a
 * schedule without expectations.
 */
final class ExpectationRules {
  private ExpectationRules() {}

  /**
   * The same decision with its effects on expectations.
   *
   * @param before empty when the schedule did not exist
   */
  static Decision follow(
      Optional<ScheduleState> before, Event event, Decision decision, Instant now) {
    Optional<ScheduleState> known = before.isPresent() ? before : decision.state();
    if (known.isEmpty()
        || (known.get().runs().watches().isEmpty() && !beginsToExpect(event, decision))) {
      return decision;
    }
    Watches earlier = known.get().runs().watches();
    List<AlertPlan> alerts = new ArrayList<>();
    if (decision.state().isEmpty()) {
      withdraw(earlier.overdue(), known.get().current(), now, alerts);
      return decision.withAlerts(alerts);
    }
    ScheduleState state = decision.state().get();
    Accepted current = state.current();
    Schedule schedule = current.schedule();
    Watches watches = earlier.keptBy(known.get().current().schedule(), schedule);
    withdraw(earlier.overdueWithout(watches), current, now, alerts);
    boolean isOver = state.isHeld() || state.completedAt().isPresent();
    if (isOver) {
      watches = watches.paused();
    } else if (event instanceof Event.Waited waited) {
      watches = watches.waited(waited, schedule);
    }
    for (FirePlan fire : decision.fires()) {
      if (fire.cause() == Cause.SCHEDULED || fire.cause() == Cause.CATCH_UP) {
        watches = watches.fired(fire, schedule, now);
      }
    }
    if (event instanceof Event.Reported report
        && !report.occurrence().isAfter(state.decidedThrough())) {
      watches = watches.reported(report, current, isOver, now);
    }
    if (event instanceof Event.Due due) {
      watches = decide(watches, current, Instants.earlier(due.through(), now), alerts);
    }
    ScheduleState after = state.with(state.runs().with(watches));
    return decision
        .with(after)
        .withPending(pending(after, decision.pending()))
        .withStatus(alerts.isEmpty() ? decision.status() : Optional.of(after.life()))
        .withAlerts(alerts);
  }

  private static boolean beginsToExpect(Event event, Decision decision) {
    boolean isSuccess =
        event instanceof Event.Reported report && report.outcome() == OutcomeState.SUCCEEDED;
    return (!decision.fires().isEmpty() || event instanceof Event.Waited || isSuccess)
        && ExpectedRuns.isExpecting(decision.state().orElseThrow().current().schedule());
  }

  /** What a schedule waits for, deadlines included. */
  static Optional<Pending> pending(ScheduleState state, Optional<Pending> found) {
    Watches watches = state.runs().watches();
    if (watches.isEmpty() || state.fault().isPresent()) {
      return found;
    }
    return watches
        .nextDecision()
        .map(at -> found.map(it -> it.until(at)).orElseGet(() -> Pending.of(at)))
        .or(() -> found);
  }

  private static Watches decide(
      Watches watches, Accepted by, Instant through, List<AlertPlan> alerts) {
    List<Watch> after = new ArrayList<>();
    for (Watch watch : watches.all()) {
      Watch.Decided decided = watch.decide(through);
      for (Watch.Change change : decided.changes()) {
        AlertKind kind = change.isOverdue() ? AlertKind.OVERDUE : AlertKind.RECOVERED;
        alerts.add(new AlertPlan(kind, watch.expectation(), change.at(), change.run(), false, by));
      }
      after.add(decided.watch());
    }
    return watches.with(after);
  }

  private static void withdraw(
      List<Watch> overdue, Accepted by, Instant now, List<AlertPlan> alerts) {
    for (Watch watch : overdue) {
      alerts.add(
          new AlertPlan(
              AlertKind.RECOVERED, watch.expectation(), now, watch.open().get(0), true, by));
    }
  }
}
