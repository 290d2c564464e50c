package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.Keys;
import io.waterclock.bench.meter.LiveMeter;
import io.waterclock.bench.meter.ReturnMeter;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.BenchException;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Schedules that fire every second, evenly spread, and how late each of their fires is. */
final class LiveLoad implements AutoCloseable {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration LEAD = Duration.ofSeconds(8);
  private static final String PHASE = "live";

  private final int partitions;
  private final Arrivals arrivals;
  private final LiveMeter meter;
  private final Instant start;

  private LiveLoad(int partitions, Arrivals arrivals, LiveMeter meter, Instant start) {
    this.partitions = partitions;
    this.arrivals = arrivals;
    this.meter = meter;
    this.start = start;
  }

  /** Returns when all are accepted; they fire soon after. */
  static LiveLoad begin(Rig rig, Loader loader, int schedules) {
    Instant start = CLOCK.instant().plus(LEAD).truncatedTo(ChronoUnit.SECONDS);
    LiveMeter meter = new LiveMeter(PHASE, start, schedules);
    LiveLoad load = new LiveLoad(rig.partitions(), rig.arrivals(), meter, start);
    load.arrivals.to(meter);
    try {
      loader.write(
          PHASE, schedules, number -> Definitions.every(meter.firstDue(number), 1, number));
      loader.awaitAccepted();
      return load;
    } catch (RuntimeException e) {
      load.close();
      throw e;
    }
  }

  /** When the first fire is due. */
  Instant start() {
    return start;
  }

  /** Looks at when fires come back to partitions. */
  ReturnMeter expect(Set<Integer> wanted, Instant since) {
    ReturnMeter returning = new ReturnMeter(wanted, since);
    arrivals.to(
        (record, seenUs) -> {
          meter.seen(record, seenUs);
          if (Keys.isOf(PHASE, record.key())) {
            returning.seen(record, seenUs);
          }
        });
    return returning;
  }

  /**
   * How late the fires of some partitions were that were due in a stretch of time, in microseconds.
   * Waits until they are visible.
   *
   * @param from inclusive
   * @param until exclusive
   * @throws BenchException if one is missing or came twice
   */
  Histogram lateness(Set<Integer> wanted, Instant from, Instant until) {
    return meter.between(
        from,
        until,
        number ->
            wanted.contains(
                HomePartition.of(ScheduleId.parse(Keys.id(PHASE, number)).utf8(), partitions)));
  }

  @Override
  public void close() {
    arrivals.close();
  }
}
