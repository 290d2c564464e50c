package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.Keys;
import io.waterclock.bench.meter.LiveMeter;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.meter.RecordListener;
import io.waterclock.bench.meter.ReturnMeter;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Closing;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Schedules that fire every second, evenly spread, and the lateness of each of their fires. */
final class LiveLoad implements AutoCloseable {
  private static final Duration LEAD = Duration.ofSeconds(10);
  private static final String PHASE = "live";

  /**
   * A stretch of time.
   *
   * @param from inclusive
   * @param until exclusive
   */
  record Span(Instant from, Instant until) {
    /** Returns when that much time has passed. */
    static Span next(Duration length) {
      Instant from = Await.now();
      Await.instant(from.plus(length));
      return new Span(from, Await.now());
    }

    double seconds() {
      return Duration.between(from, until).toMillis() / 1e3;
    }
  }

  private final Rig rig;
  private final Arrivals arrivals;
  private final LiveMeter meter;
  private final Instant start = Await.now().plus(LEAD).truncatedTo(ChronoUnit.SECONDS);

  private LiveLoad(Rig rig, int schedules) {
    this.rig = rig;
    this.arrivals = rig.arrivals(rig.topics().fires());
    this.meter = new LiveMeter(PHASE, start, schedules);
    arrivals.to(meter);
  }

  /** Returns when the scheduler has accepted all schedules; they fire soon after. */
  static LiveLoad begin(Rig rig, Loader loader, int schedules) {
    LiveLoad load = new LiveLoad(rig, schedules);
    return Closing.onFailure(
        load::close,
        () -> {
          loader.write(PHASE, schedules, n -> Definitions.every(load.meter.firstDue(n), 1, n));
          loader.awaitAccepted();
          return load;
        });
  }

  Instant start() {
    return start;
  }

  /** Sends all fires to another listener, too, instead of the one before it. */
  void also(RecordListener next) {
    arrivals.to(
        (record, seenUs) -> {
          meter.seen(record, seenUs);
          next.seen(record, seenUs);
        });
  }

  /** Measures when fires come back to partitions. */
  ReturnMeter expect(Set<Integer> wanted, Instant since) {
    ReturnMeter returning = new ReturnMeter(wanted, since);
    also(
        (record, seenUs) -> {
          if (Keys.isOf(PHASE, record.key())) {
            returning.seen(record, seenUs);
          }
        });
    return returning;
  }

  /**
   * The lateness, in microseconds, of all fires that were due in a span of time. Waits until they
   * are visible.
   *
   * @throws io.waterclock.bench.run.VoidRunException if one is missing or came twice
   */
  Histogram lateness(Span span) {
    return meter.between(span.from(), span.until(), number -> true);
  }

  /** As {@link #lateness(Span)}, of the fires of some partitions. */
  Histogram lateness(Set<Integer> wanted, Instant from, Instant until) {
    return meter.between(from, until, number -> wanted.contains(partition(number)));
  }

  private int partition(int number) {
    return HomePartition.of(ScheduleId.parse(Keys.id(PHASE, number)).utf8(), rig.partitions());
  }

  /** Adds the lateness of two spans to a report. */
  static void add(
      Report report,
      String beside,
      Histogram meanwhile,
      Histogram before,
      Percentile... percentiles) {
    for (Percentile percentile : percentiles) {
      report.add(
          percentile.title() + beside, percentile.ms(meanwhile), percentile.ms(before), "ms");
    }
    report.add(
        "fires of the others" + beside,
        (double) meanwhile.getTotalCount(),
        (double) before.getTotalCount(),
        "fires");
  }

  @Override
  public void close() {
    arrivals.close();
  }
}
