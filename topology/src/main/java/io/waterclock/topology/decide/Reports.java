package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.PauseCommand;
import java.time.Instant;

/**
 * Takes in what workers report of fires: it ends runs and may pause the schedule. Every report may
 * be read again without changing anything.
 */
final class Reports {
  private static final String AUTHOR = "waterclock";
  private static final int LONGEST_ERROR = 500;

  private final Undecided undecided;
  private final Pausing pausing;

  Reports(Undecided undecided, Pausing pausing) {
    this.undecided = undecided;
    this.pausing = pausing;
  }

  /** The decision holds the very same state when the report changes nothing. */
  Decision report(ScheduleState before, Event.Reported report, Instant now) {
    Integer most = before.current().schedule().getPauseAfterFailures();
    boolean countsFailures =
        most != null && !before.isHeld() && !report.occurrence().isAfter(before.decidedThrough());
    Runs runs = before.runs().reported(report, countsFailures, now);
    if (before.completedAt().isPresent() || runs.equals(before.runs())) {
      return Decision.of(before, undecided.pending(before));
    }
    ScheduleState after = undecided.settle(before.with(runs));
    boolean failedMore = runs.failures().count() > before.runs().failures().count();
    if (most != null && failedMore && runs.failures().count() >= most) {
      PauseCommand pause = new PauseCommand(note(runs.failures(), report), AUTHOR);
      return pausing.pause(after, pause, report.effectiveBy(now));
    }
    return Decision.of(after, undecided.pending(after));
  }

  private static String note(Failures failures, Event.Reported report) {
    String error = report.error().map(text -> ": " + cut(text)).orElse("");
    return failures.count() == 1
        ? "paused after a failed fire, that of " + report.occurrence() + error
        : "paused after "
            + failures.count()
            + " failed fires in a row, the last reported that of "
            + report.occurrence()
            + error;
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR) + "...";
  }
}
