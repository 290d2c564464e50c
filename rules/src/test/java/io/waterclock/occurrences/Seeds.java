package io.waterclock.occurrences;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Runs a property with one seed after the other. A failure names its seed; {@code
 * -Dwaterclock.seed=<seed> -Dwaterclock.samples=1} runs that sample alone. {@code -Pall} looks at
 * more of them than the build.
 */
final class Seeds {

  static final int COUNT = Integer.getInteger("waterclock.samples", 20_000);
  private static final long FIRST = Long.getLong("waterclock.seed", 1);

  private Seeds() {}

  static void forEach(int samples, Consumer<SplittableRandom> property) {
    for (long seed = FIRST; seed < FIRST + Math.max(1, samples); seed++) {
      try {
        property.accept(new SplittableRandom(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dwaterclock.seed=" + seed + " -Dwaterclock.samples=1: " + e, e);
      }
    }
  }
}
