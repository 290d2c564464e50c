package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.OpenRun;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.Resumed;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Watch;
import io.waterclock.decide.model.Watches;
import io.waterclock.definition.ExpectedRuns;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
      Instant at = event instanceof Event.Deleted deleted ? deleted.timestamp() : now;
      withdraw(earlier.overdue(), known.get().current(), Instants.earlier(at, now), alerts);
      return decision.withAlerts(alerts);
    }
    ScheduleState state = decision.state().get();
    Accepted current = state.current();
    Schedule schedule = current.schedule();
    boolean isNewLife =
        !current.past().bornAfter().equals(known.get().current().past().bornAfter());
    Watches watches =
        isNewLife ? Watches.NONE : earlier.keptBy(known.get().current().schedule(), schedule);
    withdraw(earlier.overdueWithout(watches), current, current.effectiveAt(), alerts);
    List<Hold> holds = Hold.all(known.get(), state, event, now);
    for (Hold hold : holds) {
      watches = watches.paused(hold.since(), hold.until(), schedule);
    }
    if (event instanceof Event.Waited waited
        && holds.isEmpty()
        && !current.past().isOfEarlierLife(waited.occurrence())) {
      watches = watches.waited(waited, current);
    }
    for (FirePlan fire : decision.fires()) {
      if (fire.cause() == Cause.SCHEDULED || fire.cause() == Cause.CATCH_UP) {
        watches = watches.fired(fire, countsFrom(fire, known.get(), state), current, now);
      }
    }
    if (event instanceof Event.Reported report
        && !report.occurrence().isAfter(state.decidedThrough())
        && !current.past().isOfEarlierLife(report.occurrence())) {
      watches = watches.reported(report, current, state.completedAt().isPresent(), now);
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

  /**
   * In which nothing new is expected. A pause that failures cause leaves what is expected of their
   * fires.
   *
   * @param since inclusive
   * @param until exclusive; empty while it lasts
   */
  private record Hold(Instant since, Optional<Instant> until) {

    /** None, one, or that of a pause which is read late and the one in force. */
    static List<Hold> all(ScheduleState before, ScheduleState state, Event event, Instant now) {
      List<Hold> holds = new ArrayList<>(0);
      state.completedAt().map(at -> new Hold(at, Optional.of(Instant.MAX))).ifPresent(holds::add);
      if (state.isHeld() && !Reports.isPausedByFailures(state)) {
        holds.add(new Hold(state.heldSince(), Optional.empty()));
      }
      if (before.isHeld() && !state.isHeld()) {
        Instant since = Reports.isPausedByFailures(before) ? Instant.MAX : before.heldSince();
        holds.add(new Hold(since, state.current().past().heldUntil()));
      }
      pausedBy(event, state.current(), now)
          .filter(since -> state.isHeld() || endOf(since, state).isPresent())
          .map(since -> new Hold(since, endOf(since, state)))
          .ifPresent(holds::add);
      return holds;
    }

    /** When it was written: an edit may have been written since, and be read already. */
    private static Optional<Instant> pausedBy(Event event, Accepted current, Instant now) {
      if (event instanceof Event.Commanded commanded) {
        return Optional.of(commanded.effectiveBy(now))
            .filter(at -> commanded.command().getAction() instanceof PauseCommand)
            .filter(at -> isExpected(commanded.command().getExpectedRevision(), current));
      }
      return event instanceof Event.Defined && !current.enabled()
          ? Optional.of(current.effectiveAt())
          : Optional.empty();
    }

    private static boolean isExpected(@Nullable String revision, Accepted current) {
      return revision == null || revision.equals(current.revision());
    }

    /** A later Resume may be read before. */
    private static Optional<Instant> endOf(Instant since, ScheduleState state) {
      return state.current().resumed().map(Resumed::at).filter(since::isBefore);
    }
  }

  /**
   * From when the time of a fire counts: from when it was due or, if later, when a Resume allowed
   * it, or when the run that it waited for ended.
   */
  private static Instant countsFrom(FirePlan fire, ScheduleState before, ScheduleState after) {
    Instant at = fire.occurrence().at();
    return Stream.of(
            before.allowedAt(at),
            after.runs().latest().filter(run -> run.at().equals(at)).map(Run::due))
        .flatMap(Optional::stream)
        .reduce(fire.occurrence().due(), Instants::later);
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
      List<Watch> overdue, Accepted by, Instant written, List<AlertPlan> alerts) {
    for (Watch watch : overdue) {
      OpenRun run = watch.open().get(0);
      Instant at = Instants.later(written, run.lateAt());
      alerts.add(new AlertPlan(AlertKind.RECOVERED, watch.expectation(), at, run, true, by));
    }
  }
}
