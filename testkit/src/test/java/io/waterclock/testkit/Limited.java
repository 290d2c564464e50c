package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Schedulers that have limits. */
final class Limited {
  private Limited() {}

  /**
   * @param owners as {@code owner.limits} says it
   * @param largest in bytes, of any record
   */
  static SchedulerHarness scheduler(Instant start, String owners, int largest) {
    return scheduler(start, owners, largest, "*");
  }

  /**
   * @param imports as {@code import.allow} says it
   */
  static SchedulerHarness scheduler(Instant start, String owners, int largest, String imports) {
    List<String> problems = new ArrayList<>();
    OwnerLimits limits = OwnerLimits.parse(owners, problems);
    assertThat(problems).isEmpty();
    Settings.Pace standard = Settings.Pace.standard();
    return SchedulerHarness.ticking(
        start,
        new Settings.Pace(
            Duration.ofSeconds(1),
            new Settings.Budget(Duration.ofMinutes(1), Integer.MAX_VALUE),
            standard.catchUpChunk(),
            standard.watermarkInterval(),
            standard.watchdogInterval()),
        Duration.ofHours(1),
        TaskReports.none(),
        new Settings.Limits(
            Duration.ofMillis(1),
            largest,
            largest,
            largest,
            limits,
            AllowList.ids(imports, problems),
            Settings.FireBytes.unlimited()));
  }
}
