package io.waterclock.topology.scheduler.guard;

import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.context.ClockGuard;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Stops deciding while the wall clock is wrong: when it jumps against monotonic time, or is ahead
 * of the broker's clock, by more than five seconds. Otherwise one bad step of the clock could fire
 * the occurrences of years. A clock that is behind makes fires late, and deciding continues:
 * docs/adr/0020 says why.
 *
 * <p>After a jump the broker's clock decides: when it agrees with the new time, deciding continues.
 * Nothing is decided before the first comparison. Thread-safe; {@link #read} costs three clock
 * reads.
 */
public final class ClockWatch implements ClockGuard {
  /** Inclusive: the largest tolerated difference. */
  public static final Duration TOLERANCE = Duration.ofSeconds(5);

  private static final Duration BACKWARDS = TOLERANCE.negated();
  private static final long STALL_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Logger LOG = SafeLogger.of(ClockWatch.class);

  /** Asks the broker for its time. */
  @FunctionalInterface
  public interface BrokerClock {
    /** Empty when the broker does not answer. */
    Optional<Instant> now();
  }

  /** A reading of both clocks, at nearly the same moment. */
  private record Baseline(Instant wall, long nanos) {
    /** By how much the wall clock has run faster than monotonic time since. */
    Duration jump(Baseline now) {
      return Duration.between(wall, now.wall()).minusNanos(now.nanos() - nanos);
    }
  }

  /** What a broker answered, and both clocks then. */
  private record Comparison(Instant broker, Baseline ours) {
    Instant broker(Baseline now) {
      return broker.plusNanos(now.nanos() - ours.nanos());
    }
  }

  private final InstantSource wall;
  private final LongSupplier nanos;
  private final BrokerClock broker;
  private volatile Optional<Baseline> baseline = Optional.empty();
  private volatile Optional<Comparison> compared = Optional.empty();
  private volatile String distrust = "the broker's clock is not known yet";
  private boolean hasComplained;
  private boolean isKnownBehind;

  /**
   * @param nanos monotonic time in nanoseconds
   */
  public ClockWatch(InstantSource wall, LongSupplier nanos, BrokerClock broker) {
    this.wall = wall;
    this.nanos = nanos;
    this.broker = broker;
  }

  @Override
  public Reading read() {
    Baseline now = both();
    boolean isBelieved = isBelieved(now);
    return new Reading(now.wall(), isBelieved, isBelieved ? latest(now) : notTrusted(now));
  }

  private boolean isBelieved(Baseline now) {
    if (!distrust.isEmpty()) {
      return false;
    }
    Duration jump = baseline.orElseThrow().jump(now);
    if (isTolerated(jump)) {
      return true;
    }
    distrust("the wall clock jumped by " + jump + " against monotonic time");
    return false;
  }

  private static boolean isTolerated(Duration jump) {
    // no absolute value: the JDK allocates a BigDecimal to negate a duration
    return jump.compareTo(TOLERANCE) <= 0 && jump.compareTo(BACKWARDS) >= 0;
  }

  /**
   * Reads again if the thread stalled between the two readings, since a stall looks like a jump.
   */
  private Baseline both() {
    Baseline found;
    long before;
    do {
      before = nanos.getAsLong();
      found = new Baseline(wall.instant(), nanos.getAsLong());
    } while (found.nanos() - before > STALL_NANOS);
    return found;
  }

  /** Why the clock is not trusted; empty while it is trusted. */
  public Optional<String> problem() {
    return Optional.of(distrust).filter(reason -> !reason.isEmpty());
  }

  /** The time of the broker if the wall clock is too far behind it, else that of the wall clock. */
  public Instant latest() {
    return latest(both());
  }

  private Instant latest(Baseline now) {
    return compared
        .map(last -> last.broker(now))
        .filter(broker -> now.wall().isBefore(broker.minus(TOLERANCE)))
        .orElse(now.wall());
  }

  /**
   * The broker's time, also where the wall clock is ahead of it. A jump since the last comparison
   * may be a suspend, in which monotonic time stands still: then it is not known.
   */
  private Instant notTrusted(Baseline now) {
    return compared
        .filter(last -> isTolerated(last.ours().jump(now)))
        .map(last -> last.broker(now))
        .orElseGet(() -> latest(now));
  }

  /** Compares the wall clock with the broker's clock; waits for the broker's answer. */
  public void compare() {
    Baseline before = both();
    Optional<Instant> answer = broker.now();
    if (answer.isEmpty()) {
      return;
    }
    Baseline after = both();
    compared = Optional.of(new Comparison(answer.get(), after));
    sayBehind(Duration.between(after.wall(), answer.get()));
    Duration ahead = Duration.between(answer.get(), before.wall());
    if (ahead.compareTo(TOLERANCE) > 0) {
      distrust("the wall clock is " + ahead + " ahead of the broker's");
      return;
    }
    trust(before);
  }

  /** Measures jumps from this comparison on, so that small steps do not add up over months. */
  private synchronized void trust(Baseline agreed) {
    baseline = Optional.of(agreed);
    distrust = "";
    if (hasComplained) {
      hasComplained = false;
      LOG.info("The clock agrees with the broker's: deciding continues");
    }
  }

  private synchronized void sayBehind(Duration behind) {
    boolean isBehind = behind.compareTo(TOLERANCE) > 0;
    if (isBehind && !isKnownBehind) {
      LOG.warn(
          "The wall clock is {} behind the broker's: occurrences fire that late until it is right;"
              + " check the time synchronisation of this host",
          behind);
    }
    isKnownBehind = isBehind;
  }

  private synchronized void distrust(String reason) {
    distrust = reason;
    if (!hasComplained) {
      hasComplained = true;
      LOG.error(
          "Deciding stops: {}. It continues by itself when the clock agrees with the broker's"
              + " again; check the time synchronisation of this host",
          reason);
    }
  }
}
