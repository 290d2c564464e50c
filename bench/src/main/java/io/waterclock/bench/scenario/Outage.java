package io.waterclock.bench.scenario;

import io.waterclock.bench.meter.ReturnMeter;
import io.waterclock.bench.rig.InstanceWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The effect of an instance's end on fires.
 *
 * @param gone when it had ended
 * @param release when the broker let go what it held; empty when it ended in order
 * @param back when its fires were visible again
 * @param before how late all fires were before
 * @param its how late the fires of its partitions were until they were on time again
 * @param others how late those of the other instance's partitions were meanwhile; empty when there
 *     was no other
 */
record Outage(
    String title,
    Instant gone,
    Optional<InstanceWatch.Release> release,
    ReturnMeter.Return back,
    Histogram before,
    Histogram its,
    Optional<Histogram> others) {

  /** Seconds from its end. */
  double since(Instant instant) {
    return Duration.between(gone, instant).toNanos() / 1e9;
  }

  /** Seconds until fires of all its partitions were visible again, from when they could be. */
  Optional<Double> afterRelease() {
    return release.map(let -> since(back.all()) - since(let.later()));
  }
}
