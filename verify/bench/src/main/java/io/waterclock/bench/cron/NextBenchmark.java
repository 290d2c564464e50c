package io.waterclock.bench.cron;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The next occurrence, from random instants of ten years, by turns in Berlin and in New York: every
 * call lands in another year, at another time of day, on either side of a clock change.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class NextBenchmark {
  private static final int STARTS = 1 << 12;
  private static final long FROM = Instant.parse("2020-01-01T00:00:00Z").getEpochSecond();
  private static final long TO = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();

  @Param({})
  private Library library;

  @Param({})
  private Expression expression;

  private Library.NextSearch<?> berlin;
  private Library.NextSearch<?> newYork;
  private int call;

  @Setup
  public void read() {
    List<Instant> starts =
        new SplittableRandom(1)
            .longs(STARTS, FROM, TO)
            .mapToObj(second -> Instant.ofEpochSecond(second, 500_000_000))
            .toList();
    String text = expression.in(library);
    berlin = library.search(text, ZoneId.of("Europe/Berlin"), starts);
    newYork = library.search(text, ZoneId.of("America/New_York"), starts);
  }

  @Benchmark
  public Optional<?> next() {
    int start = call++ & (STARTS - 1);
    return (start % 2 == 0 ? berlin : newYork).next(start);
  }
}
