package io.waterclock.topology.kafka;

import io.waterclock.topology.stream.ClockGuard;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops deciding while the wall clock cannot be believed: when it jumps against monotonic time, or
 * runs ahead of the broker's clock, by more than five seconds. One bad step of the clock must not
 * fire years.
 *
 * <p>After a jump the broker's clock has the say: when it agrees with the new time, deciding goes
 * on. Until the broker was asked for the first time nothing is decided. Thread-safe; {@link
 * #isTrusted} costs two looks at clocks.
 */
public final class ClockWatch implements ClockGuard, AutoCloseable {
  /** More than this is too much. */
  public static final Duration TOLERANCE = Duration.ofSeconds(5);

  private static final Duration BACKWARDS = TOLERANCE.negated();
  private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

  /** Asks the broker for its time. */
  @FunctionalInterface
  public interface BrokerClock {
    /** Empty when the broker does not answer. */
    Optional<Instant> now();
  }

  private record Baseline(Instant wall, long nanos) {}

  private final InstantSource wall;
  private final LongSupplier nanos;
  private final BrokerClock broker;
  private volatile Optional<Baseline> baseline = Optional.empty();
  private volatile String distrust = "the broker's clock is not known yet";
  private boolean complained;
  private Optional<ScheduledFuture<?>> asking = Optional.empty();

  /**
   * @param nanos monotonic time in nanoseconds
   */
  public ClockWatch(InstantSource wall, LongSupplier nanos, BrokerClock broker) {
    this.wall = wall;
    this.nanos = nanos;
    this.broker = broker;
  }

  /** Asks the broker now and from then on after each interval. */
  public void start(ScheduledExecutorService executor, Duration interval) {
    asking =
        Optional.of(
            executor.scheduleWithFixedDelay(
                this::compare, 0, interval.toMillis(), TimeUnit.MILLISECONDS));
  }

  @Override
  public void close() {
    asking.ifPresent(task -> task.cancel(true));
  }

  @Override
  public boolean isTrusted() {
    if (!distrust.isEmpty()) {
      return false;
    }
    Baseline base = baseline.orElseThrow();
    Duration byWall = Duration.between(base.wall(), wall.instant());
    Duration jump = byWall.minusNanos(nanos.getAsLong() - base.nanos());
    // not by its absolute value: the JDK makes a BigDecimal to negate a duration
    if (jump.compareTo(TOLERANCE) <= 0 && jump.compareTo(BACKWARDS) >= 0) {
      return true;
    }
    distrust("the wall clock jumped by " + jump + " against monotonic time");
    return false;
  }

  /** Why the clock is not trusted; empty when it is. */
  public Optional<String> problem() {
    return Optional.of(distrust).filter(reason -> !reason.isEmpty());
  }

  /** Compares the wall clock with the broker's. */
  void compare() {
    long nanosBefore = nanos.getAsLong();
    Instant before = wall.instant();
    Optional<Instant> theirs = broker.now();
    if (theirs.isEmpty()) {
      return;
    }
    Duration ahead = Duration.between(theirs.get(), before);
    if (ahead.compareTo(TOLERANCE) > 0) {
      distrust("the wall clock is " + ahead + " ahead of the broker's");
      return;
    }
    trust(new Baseline(before, nanosBefore));
  }

  /** From now on jumps are measured, so that small steps do not add up over months. */
  private synchronized void trust(Baseline agreed) {
    baseline = Optional.of(agreed);
    distrust = "";
    if (complained) {
      complained = false;
      LOG.info("The clock agrees with the broker's: deciding goes on");
    }
  }

  private synchronized void distrust(String reason) {
    distrust = reason;
    if (!complained) {
      complained = true;
      LOG.error(
          "Deciding stops: {}. It goes on by itself when the clock agrees with the broker's"
              + " again; check the time synchronisation of this host",
          reason);
    }
  }
}
