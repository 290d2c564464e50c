package io.waterclock.topology.scheduler.guard;

import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.context.Gate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Detects that a thread stalled: because of SIGSTOP, a long JVM pause, a suspended host, or a slow
 * broker.
 *
 * <p>The thread calls {@link #beat} often. On some hosts monotonic time stops during a suspension,
 * and the wall clock can be set, so a gap of either clock counts. For its thread only; a beat costs
 * two clock reads.
 */
public final class StallDetector {
  private static final Logger LOG = SafeLogger.of(StallDetector.class);

  private final LongSupplier nanos;
  private final InstantSource wall;
  private boolean hasBegun;
  private long lastNanos;
  private long lastWallMs;
  private long stalls;

  /**
   * @param nanos monotonic time in nanoseconds
   */
  public StallDetector(LongSupplier nanos, InstantSource wall) {
    this.nanos = nanos;
    this.wall = wall;
  }

  /** Records that the thread runs. */
  public void beat() {
    long nowNanos = nanos.getAsLong();
    long nowWallMs = wall.millis();
    long gapMs = Math.max((nowNanos - lastNanos) / 1_000_000, nowWallMs - lastWallMs);
    if (hasBegun && gapMs > Gate.STALL.toMillis()) {
      stalls++;
      LOG.info(
          "Stalled for {} since {}: the records written meanwhile are read before anything is decided",
          Duration.ofMillis(gapMs),
          Instant.ofEpochMilli(lastWallMs));
    }
    hasBegun = true;
    lastNanos = nowNanos;
    lastWallMs = nowWallMs;
  }

  /** The number of stalls so far. */
  public long stalls() {
    return stalls;
  }
}
