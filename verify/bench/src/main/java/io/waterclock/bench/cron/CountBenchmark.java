package io.waterclock.bench.cron;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Every;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.search.IntervalUnit;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Counts the occurrences that a year of outage has missed, as catch-up does before it decides. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class CountBenchmark {
  public enum Counted {
    EVERY_SECOND("a grid of every second"),
    EVERY_DAY("a grid of every day in Berlin"),
    CRON_EVERY_SECOND("cron * * * * * * in Berlin"),
    CRON_WEEKDAYS("cron 0 9 * * 1-5 in Berlin");

    private final String title;

    Counted(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }

    Trigger trigger() {
      ZoneId berlin = ZoneId.of("Europe/Berlin");
      return switch (this) {
        case EVERY_SECOND -> Every.of(ANCHOR, 1, IntervalUnit.SECOND, berlin);
        case EVERY_DAY -> Every.of(ANCHOR, 1, IntervalUnit.DAY, berlin);
        case CRON_EVERY_SECOND -> Cron.parse("* * * * * *", berlin);
        case CRON_WEEKDAYS -> Cron.parse("0 9 * * 1-5", berlin);
      };
    }
  }

  private static final Instant ANCHOR = Instant.parse("2020-01-01T00:00:00Z");
  private static final List<Instant> DOWN =
      List.of(Instant.parse("2025-01-01T00:00:00Z"), Instant.parse("2025-03-02T04:05:06Z"));
  private static final List<Instant> UP =
      List.of(Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-03-02T04:05:06Z"));

  @Param({})
  private Counted counted;

  private Trigger trigger;
  private int call;

  @Setup
  public void make() {
    trigger = counted.trigger();
  }

  @Benchmark
  public Count count() {
    int outage = call++ & 1;
    return trigger.count(DOWN.get(outage), UP.get(outage), Long.MAX_VALUE);
  }
}
