package io.waterclock.bench.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.apache.kafka.common.KafkaFuture;

/** Waiting: for a condition within a bound, or for an instant. */
public final class Await {
  private Await() {}

  /**
   * Looks at a condition every 20 ms.
   *
   * @throws BenchException if it does not hold within the bound
   */
  public static void until(String what, Duration bound, BooleanSupplier condition) {
    until(what, bound, Duration.ofMillis(20), condition);
  }

  /**
   * Looks at a condition that costs more, less often.
   *
   * @throws BenchException if it does not hold within the bound
   */
  public static void until(String what, Duration bound, Duration pause, BooleanSupplier condition) {
    long deadline = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(what + ": not within " + bound.toSeconds() + " s");
      }
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  /**
   * The broker's answer.
   *
   * @param what names the subject, for the failure
   * @throws BenchException if it does not come within 30 s, or is a failure
   */
  public static <T> T answer(String what, KafkaFuture<T> future) {
    try {
      return future.get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new BenchException("the broker does not answer about " + what, e);
    }
  }

  /** Returns when the wall clock shows the instant, at once if it is past. */
  public static void instant(Instant instant) {
    for (Duration left = left(instant); left.toNanos() > 0; left = left(instant)) {
      LockSupport.parkNanos(left.toNanos());
    }
  }

  /**
   * Returns when the latch is open.
   *
   * @return false if it was not at the deadline
   */
  public static boolean latch(CountDownLatch latch, Instant deadline) {
    try {
      return latch.await(Math.max(0, left(deadline).toNanos()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
  }

  /** Calls an action with each number below the count, so many times a second. */
  public static void evenly(int count, int perSecond, IntConsumer action) {
    Instant start = now();
    for (int n = 0; n < count; n++) {
      instant(start.plusNanos(n * 1_000_000_000L / perSecond));
      action.accept(n);
    }
  }

  /** Returns when that much time has passed. */
  public static void pass(Duration time) {
    instant(now().plus(time));
  }

  /** The wall clock. */
  public static Instant now() {
    return InstantSource.system().instant();
  }

  private static Duration left(Instant instant) {
    return Duration.between(now(), instant);
  }
}
