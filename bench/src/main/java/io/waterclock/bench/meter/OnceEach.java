package io.waterclock.bench.meter;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells what is seen for the first time from what is seen again. One thread sees, any may ask for
 * what came twice.
 */
final class OnceEach {
  private static final InstantSource CLOCK = InstantSource.system();

  private final BitSet seen;
  private final AtomicInteger doubled = new AtomicInteger();

  /**
   * @param count numbers are from 0 to it, exclusive
   */
  OnceEach(int count) {
    this.seen = new BitSet(count);
  }

  /** Sees a number; false when it was seen before. */
  boolean isFirst(int number) {
    if (seen.get(number)) {
      doubled.incrementAndGet();
      return false;
    }
    seen.set(number);
    return true;
  }

  /**
   * Waits for what comes again after the last that was expected.
   *
   * @param stragglers how long it may take
   * @throws VoidRunException if anything came twice
   */
  void requireNoDoubles(Duration stragglers) {
    Await.instant(CLOCK.instant().plus(stragglers));
    if (doubled.get() > 0) {
      throw new VoidRunException(doubled + " came twice");
    }
  }
}
