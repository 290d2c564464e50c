package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.Expecting;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.OpenRun;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Watch;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fault;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Adds to a decision what it means for the expectations of the schedule: what is expected from now
 * on, and what is told as overdue or recovered.
 *
 * <p>Deadlines are decided like occurrences, by {@link Event.Due} alone: for what was written by
 * the instant up to which all input is read. Nothing is expected of a paused schedule, of fires
 * that commands order, and of occurrences that do not fire. Costs two comparisons for a schedule
 * without expectations.
 */
final class Expected {
  private Expected() {}

  /**
   * The same decision with its expectations.
   *
   * @param before empty when the schedule did not exist
   */
  static Decision follow(
      Optional<ScheduleState> before, Event event, Decision decision, Instant now) {
    Expecting known = before.map(state -> state.runs().expecting()).orElse(Expecting.NONE);
    Optional<ScheduleState> after = decision.state();
    boolean isExpected =
        after.filter(state -> state.current().schedule().getExpect() != null).isPresent();
    if (!isExpected && known.equals(Expecting.NONE)) {
      return decision;
    }
    List<AlertPlan> alerts = new ArrayList<>();
    if (after.isEmpty()) {
      withdraw(known, Expecting.NONE, before.orElseThrow().current(), now, alerts);
      return decision.withAlerts(alerts);
    }
    ScheduleState state = after.get();
    Schedule schedule = state.current().schedule();
    Expecting next = known.of(schedule);
    withdraw(known, next, state.current(), now, alerts);
    if (state.isHeld() || state.completedAt().isPresent()) {
      next = each(next, schedule, (watch, within) -> watch.paused());
    } else {
      Instant begins = Instants.earlier(state.current().effectiveAt(), now);
      boolean resumes = before.filter(ScheduleState::isHeld).isPresent();
      next = each(next, schedule, (watch, within) -> watch.begun(resumes ? now : begins));
    }
    for (FirePlan fire : decision.fires()) {
      if (fire.cause() == Cause.SCHEDULED || fire.cause() == Cause.CATCH_UP) {
        next =
            each(
                next,
                schedule,
                (watch, within) ->
                    watch.fired(fire.occurrence().at(), fire.occurrence().due(), now));
      }
    }
    if (event instanceof Event.Reported report
        && !report.occurrence().isAfter(state.decidedThrough())) {
      Instant at = report.effectiveBy(now);
      next = each(next, schedule, (watch, within) -> watch.reported(report, within, at));
    }
    if (event instanceof Event.Due due && !state.isHeld()) {
      next = decide(next, state.current(), Instants.earlier(due.through(), now), alerts);
    }
    ScheduleState following = state.with(state.runs().expecting(next));
    return decision
        .with(following)
        .withPending(pending(following, decision.pending()))
        .withAlerts(alerts);
  }

  /** What a schedule waits for, deadlines included. */
  static Optional<Pending> pending(ScheduleState state, Optional<Pending> found) {
    Expecting expecting = state.runs().expecting();
    if (expecting.equals(Expecting.NONE) || state.isHeld() || state.fault().isPresent()) {
      return found;
    }
    Optional<Instant> deadline = expecting.nextDecision(state.current().schedule());
    return deadline.isEmpty()
        ? found
        : Optional.of(
            found
                .map(pending -> pending.until(deadline.get()))
                .orElseGet(() -> Pending.of(deadline.get())));
  }

  private static Expecting each(
      Expecting all, Schedule schedule, BiFunction<Watch, Duration, Watch> change) {
    return new Expecting(
        all.watches().stream()
            .map(
                watch ->
                    change.apply(
                        watch, Expecting.within(schedule, watch.expectation()).orElseThrow()))
            .toList());
  }

  private static Expecting decide(
      Expecting all, Accepted by, Instant through, List<AlertPlan> alerts) {
    return each(
        all,
        by.schedule(),
        (watch, within) -> {
          Watch.Decided decided = watch.decide(within, through);
          for (Watch.Change change : decided.changes()) {
            Instant expectedBy = change.run().deadline(within);
            alerts.add(
                new AlertPlan(
                    change.isOverdue() ? AlertKind.OVERDUE : AlertKind.RECOVERED,
                    watch.expectation(),
                    change.at(),
                    change.run(),
                    expectedBy,
                    change.isOverdue()
                        ? Optional.of(fault(change.run(), expectedBy))
                        : Optional.empty(),
                    false,
                    by));
          }
          return decided.watch();
        });
  }

  private static void withdraw(
      Expecting known, Expecting next, Accepted by, Instant now, List<AlertPlan> alerts) {
    for (Watch watch : known.withdrawnBy(next)) {
      OpenRun run = watch.overdue().orElseThrow();
      Instant deadline =
          Expecting.within(by.schedule(), watch.expectation()).map(run::deadline).orElse(run.due());
      alerts.add(
          new AlertPlan(
              AlertKind.RECOVERED,
              watch.expectation(),
              now,
              run,
              deadline,
              Optional.empty(),
              true,
              by));
    }
  }

  private static Fault fault(OpenRun run, Instant deadline) {
    if (run.firedAt().isEmpty()) {
      return Fault.NOTHING_FIRED;
    }
    if (run.firedAt().get().isAfter(deadline)) {
      return Fault.SCHEDULER;
    }
    return run.report().isPresent() ? Fault.WORKER : Fault.NOT_REPORTED;
  }
}
