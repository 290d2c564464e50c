package io.waterclock.runtime.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.waterclock.runtime.metrics.Totals.Carry;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.Lateness;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The lateness of an instance's fires, by cause. A separate collector, since a Micrometer timer
 * takes one fire at a time, and tasks count in buckets. Thread-safe.
 */
final class LatenessHistogram implements Collector {
  private static final String NAME = "waterclock_fire_lateness_seconds";
  private static final double[] BOUNDS =
      DoubleStream.concat(
              Lateness.bounds().stream().mapToDouble(bound -> bound.toMillis() / 1e3),
              DoubleStream.of(Double.POSITIVE_INFINITY))
          .toArray();

  private static final class Series {
    final LongAdder[] buckets =
        Stream.generate(LongAdder::new).limit(BOUNDS.length).toArray(LongAdder[]::new);
    final LongAdder sumMs = new LongAdder();

    Stream<Carry> carries(Lateness task) {
      return Stream.concat(
          Stream.of(new Carry(task::sumMs, sumMs::add)),
          IntStream.range(0, buckets.length)
              .mapToObj(bucket -> new Carry(() -> task.inBucket(bucket), buckets[bucket]::add)));
    }

    HistogramSnapshot.HistogramDataPointSnapshot snapshot(Cause cause) {
      long[] counts = Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray();
      return HistogramSnapshot.HistogramDataPointSnapshot.builder()
          .labels(Labels.of("cause", Label.of(cause)))
          .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, counts))
          .sum(Duration.ofMillis(sumMs.sum()).toNanos() / 1e9)
          .build();
    }
  }

  private final Map<Cause, Series> byCause = new EnumMap<>(Cause.class);

  LatenessHistogram() {
    for (Cause cause : Cause.values()) {
      byCause.put(cause, new Series());
    }
  }

  /** The carries that add a task's fires to this histogram. */
  Stream<Carry> carries(Counts counts) {
    return byCause.entrySet().stream()
        .flatMap(series -> series.getValue().carries(counts.fired(series.getKey())));
  }

  @Override
  public String getPrometheusName() {
    return NAME;
  }

  @Override
  public MetricSnapshot collect() {
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder()
            .name(NAME)
            .help("Time from when a fire was due to when it was decided.");
    byCause.forEach((cause, series) -> histogram.dataPoint(series.snapshot(cause)));
    return histogram.build();
  }
}
