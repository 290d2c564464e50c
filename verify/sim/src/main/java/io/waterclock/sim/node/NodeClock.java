package io.waterclock.sim.node;

import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.guard.ClockWatch;
import io.waterclock.topology.scheduler.guard.StallDetector;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The clocks of one process: a wall clock that can be set wrong, monotonic time, and the
 * scheduler's own watch over both.
 *
 * <p>The world leaves out the time in which nothing happens. A process that runs would have ticked
 * all that time, so this time is no stall.
 */
final class NodeClock implements InstantSource {
  /** How often the runtime compares its clock with that of the brokers. */
  private static final long COMPARE_MS = 10_000;

  private final LongSupplier now;
  private final Fault fault;
  private final ClockWatch watch;
  private final StallDetector stallDetector;
  private long aheadMs;
  private long leftOutMs;
  private long nextCompareMs;

  NodeClock(LongSupplier now, Fault fault, long aheadMs) {
    this.now = now;
    this.fault = fault;
    this.aheadMs = aheadMs;
    this.watch =
        new ClockWatch(this, this::nanos, () -> Optional.of(Instant.ofEpochMilli(now.getAsLong())));
    this.stallDetector =
        new StallDetector(
            () -> fault.keeps(Edge.STALL) ? nanos() - Duration.ofMillis(leftOutMs).toNanos() : 0,
            () -> fault.keeps(Edge.STALL) ? instant().minusMillis(leftOutMs) : Instant.EPOCH);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(fault.at(Edge.WALL_MS, now.getAsLong() + aheadMs));
  }

  long nanos() {
    return Duration.ofMillis(now.getAsLong()).toNanos();
  }

  ClockGuard guard() {
    return () -> {
      ClockGuard.Reading reading = watch.read();
      return new ClockGuard.Reading(
          reading.wall(),
          fault.at(Edge.TRUST, reading.isTrusted()),
          fault.keeps(Edge.BROKERS_TIME) ? reading.latest() : reading.wall());
    };
  }

  StallDetector stallDetector() {
    return stallDetector;
  }

  /** The later of the wall clock and that of the brokers. */
  Instant latest() {
    return watch.latest();
  }

  /** Compares with the brokers' clock when it is time. */
  void compare() {
    if (now.getAsLong() >= nextCompareMs) {
      nextCompareMs = now.getAsLong() + COMPARE_MS;
      watch.compare();
    }
  }

  boolean isTrusted() {
    return watch.read().isTrusted();
  }

  /** When a distrusted clock may be trusted again; never while it stays wrong. */
  long trustableMs() {
    return aheadMs > ClockWatch.TOLERANCE.toMillis() ? Long.MAX_VALUE : nextCompareMs;
  }

  void setAhead(long ms) {
    aheadMs = ms;
  }

  void leaveOut(long ms) {
    leftOutMs += ms;
  }
}
