package io.waterclock.bench.meter;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts numbers that are each expected once. One thread sees them; any thread may wait. */
public class OnceCounter {
  private static final Duration BETWEEN_WORDS = Duration.ofSeconds(10);

  private final int expected;
  private final BitSet seen;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger doubled = new AtomicInteger();
  private final CountDownLatch done = new CountDownLatch(1);

  /**
   * @param expected numbers are from 0 to it, exclusive
   */
  OnceCounter(int expected) {
    this.expected = expected;
    this.seen = new BitSet(expected);
  }

  /** Returns false if the number was seen before, which makes the run void. */
  boolean isFirst(int number) {
    if (seen.get(number)) {
      doubled.incrementAndGet();
      return false;
    }
    seen.set(number);
    return true;
  }

  /** Counts a first sight once its caller has recorded it: the last one ends the waiting. */
  void count() {
    if (count.incrementAndGet() == expected) {
      done.countDown();
    }
  }

  int counted() {
    return count.get();
  }

  /**
   * Waits until all have been counted.
   *
   * @param after names the instant from which fires are late, for the message
   * @throws VoidRunException if one is missing at the deadline
   */
  void await(Instant deadline, Instant due, String after) {
    Instant now = Await.now();
    while (!Await.latch(done, earlier(deadline, now.plus(BETWEEN_WORDS)))) {
      now = Await.now();
      if (now.isBefore(deadline)) {
        Progress.say(String.format("%,d of %,d fires are there", counted(), expected));
        continue;
      }
      throw new VoidRunException(
          String.format(
              "%,d of %,d fires were missing %d s after %s",
              expected - counted(), expected, Duration.between(due, deadline).toSeconds(), after));
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  /**
   * @throws VoidRunException if one is missing after the bound, or came twice until then
   */
  public void await(String what, Duration bound) {
    if (!Await.latch(done, Await.now().plus(bound))) {
      throw new VoidRunException(
          "after " + bound.toSeconds() + " s only " + count + " of " + expected + " " + what);
    }
    requireNoDoubles(Duration.ZERO);
  }

  /**
   * Waits for stragglers that come again after the last expected number.
   *
   * @throws VoidRunException if any number came twice
   */
  public void requireNoDoubles(Duration stragglers) {
    Await.pass(stragglers);
    if (doubled.get() > 0) {
      throw new VoidRunException(doubled + " came twice");
    }
  }
}
