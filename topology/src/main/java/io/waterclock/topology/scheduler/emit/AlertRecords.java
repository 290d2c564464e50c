package io.waterclock.topology.scheduler.emit;

import io.waterclock.decide.AlertPlan;
import io.waterclock.decide.model.OpenRun;
import io.waterclock.decide.model.Watch;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.OverdueExpectation;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Optional;

/** Alerts as records, with a sentence for people. */
final class AlertRecords {
  private AlertRecords() {}

  static Alert alert(ScheduleId id, AlertPlan plan, Instant now) {
    Schedule schedule = plan.by().schedule();
    Optional<Expectations> expect = Optional.ofNullable(schedule.getExpect());
    OpenRun run = plan.run();
    return Alert.newBuilder()
        .setScheduleId(id.value())
        .setKind(plan.kind())
        .setExpectation(plan.expectation())
        .setAt(plan.at())
        .setDecidedAt(now)
        .setOccurrence(run.occurrence())
        .setExpectedBy(run.deadline())
        .setFiredAt(run.firedAt().orElse(null))
        .setFault(run.fault())
        .setSeen(run.report().map(OpenRun.Report::state).orElse(null))
        .setSeenAt(run.report().map(OpenRun.Report::at).orElse(null))
        .setError(run.report().flatMap(OpenRun.Report::error).orElse(null))
        .setWithdrawn(plan.isWithdrawn())
        .setRevision(plan.by().revision())
        .setOwner(schedule.getOwner())
        .setContact(expect.map(Expectations::getContact).orElse(null))
        .setRunbook(expect.map(Expectations::getRunbook).orElse(null))
        .setText(id + text(plan))
        .build();
  }

  /** For the status of a schedule. */
  static OverdueExpectation overdue(Watch watch) {
    OpenRun run = watch.open().get(0);
    return new OverdueExpectation(
        watch.expectation(), run.occurrence(), run.lateAt().orElseThrow(), run.fault());
  }

  private static String text(AlertPlan plan) {
    if (plan.isWithdrawn()) {
      return " is not expected any more since " + plan.at();
    }
    if (plan.kind() == AlertKind.RECOVERED) {
      return " has recovered at " + plan.at();
    }
    Instant occurrence = plan.run().occurrence();
    String missing =
        switch (plan.expectation()) {
          case STARTED_WITHIN -> "the run of " + occurrence + " has not started";
          case SUCCEEDED_WITHIN -> "the run of " + occurrence + " has not succeeded";
          case SUCCEEDED_EVERY -> "no run has succeeded since " + occurrence;
        };
    return ": %s, expected by %s; %s".formatted(missing, plan.run().deadline(), why(plan.run()));
  }

  private static String why(OpenRun run) {
    return switch (run.fault()) {
      case SCHEDULER -> "the scheduler fired late, at " + run.firedAt().orElseThrow();
      case NOT_REPORTED -> "no worker has reported";
      case WORKER -> why(run.report().orElseThrow());
    };
  }

  private static String why(OpenRun.Report report) {
    return "a worker reported %s at %s%s"
        .formatted(
            report.state(), report.at(), report.error().map(error -> ": " + error).orElse(""));
  }
}
