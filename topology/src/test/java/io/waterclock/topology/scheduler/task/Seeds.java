package io.waterclock.topology.scheduler.task;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * The same seeds in each build. {@code -Dwaterclock.seed=N} runs one history, {@code
 * -Dwaterclock.traces=N} that many, and {@code -Dwaterclock.features=STRAYS,PAUSES} those with
 * nothing but these features: by default, each history has some of {@link #ALL}.
 */
final class Seeds {
  private static final Set<Feature> ALL = EnumSet.allOf(Feature.class);
  private static final int MOST_SHOWN = Integer.getInteger("waterclock.shown", 3);

  private Seeds() {}

  /** Finds what is wrong with the history of a seed. */
  @FunctionalInterface
  interface Machine {
    Optional<String> difference(long seed, Set<Feature> features);
  }

  static List<String> find(int inTheBuild, Machine machine) {
    Optional<Long> one = Optional.ofNullable(Long.getLong("waterclock.seed"));
    long first = one.orElse(1L);
    long many = one.isPresent() ? 1 : Long.getLong("waterclock.traces", inTheBuild);
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    LongStream.range(first, first + many)
        .parallel()
        .filter(seed -> wrong.size() < MOST_SHOWN)
        .forEach(seed -> described(machine, seed, features(seed)).ifPresent(wrong::add));
    System.out.println(many + " histories from waterclock.seed=" + first);
    return wrong;
  }

  private static Optional<String> described(Machine machine, long seed, Set<Feature> features) {
    try {
      return machine
          .difference(seed, features)
          .map(text -> "waterclock.seed=" + seed + " " + features + "\n" + text + "\n");
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("waterclock.seed=" + seed + ": " + e, e);
    }
  }

  /** Those that are named, or some of all. */
  private static Set<Feature> features(long seed) {
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    String given = System.getProperty("waterclock.features");
    if (given != null) {
      Arrays.stream(given.split(","))
          .filter(name -> !name.isBlank())
          .map(Feature::valueOf)
          .forEach(features::add);
      return features;
    }
    SplittableRandom random = new SplittableRandom(~seed);
    ALL.stream().filter(feature -> random.nextInt(3) == 0).forEach(features::add);
    return features;
  }
}
