package io.waterclock.topology.runtime.clients;

import io.waterclock.schemas.SafeLogger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Notices that a thread was held up: by SIGSTOP, by a long pause of the JVM, by a host that was
 * suspended, by a broker that let it wait.
 *
 * <p>The thread beats with whatever it does. Monotonic time stands still on some hosts while they
 * are suspended, and the wall clock is set now and then, so a gap by either of them counts. Used by
 * its thread alone; a beat costs two looks at clocks.
 */
public final class StallDetector {
  /**
   * A longer gap is a stall. The time of a commit is none, nor that of a collection of garbage: on
   * a machine with too much to do they take more than a second, again and again.
   */
  public static final Duration LONGEST_GAP = Duration.ofSeconds(3);

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

  /** Says that the thread runs. */
  public void beat() {
    long nowNanos = nanos.getAsLong();
    long nowWallMs = wall.millis();
    long gapMs = Math.max((nowNanos - lastNanos) / 1_000_000, nowWallMs - lastWallMs);
    if (hasBegun && gapMs > LONGEST_GAP.toMillis()) {
      stalls++;
      LOG.info(
          "Held up for {} since {}: what was written meanwhile is read before anything is decided",
          Duration.ofMillis(gapMs),
          Instant.ofEpochMilli(lastWallMs));
    }
    hasBegun = true;
    lastNanos = nowNanos;
    lastWallMs = nowWallMs;
  }

  /** How often the thread was held up so far. */
  public long stalls() {
    return stalls;
  }
}
