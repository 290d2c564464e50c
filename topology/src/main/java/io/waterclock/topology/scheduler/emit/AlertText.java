package io.waterclock.topology.scheduler.emit;

import io.waterclock.decide.AlertPlan;
import io.waterclock.decide.model.OpenRun;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.Fault;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Optional;

/** Alerts as records, with a sentence for people. */
final class AlertText {
  private AlertText() {}

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
        .setExpectedBy(plan.expectedBy())
        .setFiredAt(run.firedAt().orElse(null))
        .setFault(plan.fault().orElse(null))
        .setSeen(run.report().map(OpenRun.Report::state).orElse(null))
        .setSeenAt(run.report().map(OpenRun.Report::at).orElse(null))
        .setError(run.report().flatMap(OpenRun.Report::error).orElse(null))
        .setWithdrawn(plan.withdrawn())
        .setRevision(plan.by().revision())
        .setOwner(schedule.getOwner())
        .setContact(expect.map(Expectations::getContact).orElse(null))
        .setRunbook(expect.map(Expectations::getRunbook).orElse(null))
        .setText(id + " " + text(plan))
        .build();
  }

  private static String text(AlertPlan plan) {
    if (plan.kind() == AlertKind.RECOVERED) {
      return plan.withdrawn()
          ? "is overdue no more: nothing is expected of it since " + plan.at()
          : "is overdue no more, since " + plan.at();
    }
    String what =
        plan.expectation() == Expectation.STARTED_WITHIN
            ? "has not started its run of " + plan.run().occurrence()
            : plan.expectation() == Expectation.SUCCEEDED_WITHIN
                ? "has not succeeded with its run of " + plan.run().occurrence()
                : "has not succeeded since " + plan.run().occurrence();
    return "%s, expected by %s: %s"
        .formatted(what, plan.expectedBy(), why(plan.run(), plan.fault().orElseThrow()));
  }

  private static String why(OpenRun run, Fault fault) {
    return switch (fault) {
      case NOTHING_FIRED -> "nothing was due";
      case SCHEDULER -> "the scheduler fired at " + run.firedAt().orElseThrow();
      case NOT_REPORTED -> "no worker has reported on it";
      case WORKER ->
          run.report()
              .map(
                  report ->
                      "a worker reported "
                          + report.state()
                          + " at "
                          + report.at()
                          + report.error().map(error -> ": " + error).orElse(""))
              .orElseThrow();
    };
  }
}
