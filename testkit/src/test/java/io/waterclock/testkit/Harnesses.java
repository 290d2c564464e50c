package io.waterclock.testkit;

import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;

/** Harnesses for tests of the scheduler's own ticks and stores. */
public final class Harnesses {
  private Harnesses() {}

  /** Ticks at this interval. */
  public static SchedulerHarness ticking(Instant now, Duration tick) {
    return ticking(now, pace(tick));
  }

  public static SchedulerHarness ticking(Instant now, Settings.Pace pace) {
    return ticking(now, pace, SchedulerHarness.COMPLETED_RETENTION);
  }

  public static SchedulerHarness ticking(
      Instant now, Settings.Pace pace, Duration completedRetention) {
    return SchedulerHarness.ticking(
        now, pace, completedRetention, TaskReports.none(), SchedulerHarness.LIMITS);
  }

  static Settings.Pace pace(Duration tick) {
    Settings.Pace standard = Settings.Pace.standard();
    return new Settings.Pace(
        tick,
        new Settings.Budget(Duration.ofMinutes(1), Integer.MAX_VALUE),
        standard.catchUpChunk(),
        standard.watermarkInterval(),
        standard.watchdogInterval());
  }

  /** As {@link SchedulerHarness#store}. */
  public static Map<Bytes, byte[]> store(SchedulerHarness scheduler, String name) {
    return scheduler.store(name);
  }
}
