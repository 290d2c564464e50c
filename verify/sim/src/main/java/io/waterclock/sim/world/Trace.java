package io.waterclock.sim.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A world and what happens in it.
 *
 * @param seed of the trace as it was drawn; a shrunk one keeps it
 */
public record Trace(long seed, Shape shape, List<Event> events) {

  /**
   * The size of a world.
   *
   * @param hasWrongClocks whether clocks are set wrong. Then there are no strays: a timestamp that
   *     is ahead of the clock at home counts as now, so the order of strays and other writes
   *     depends on that clock, and the judge does not know what it showed. In the other worlds
   *     every second task restores its state for some seconds
   * @param isLong whether hours and days pass between the events, or seconds
   * @param isHeldUp whether processes are stopped in the middle of their loop, for some seconds
   * @param hasConsumers whether there are routers and workers, and definitions for them
   * @param hasLater whether there are intakes, and records for them; only with routers, and where
   *     seconds pass: in a long outage retention removes records that no intake has read
   * @param hasLimits whether there are limiters, limits, and schedules for them; only with routers
   *     and workers, where seconds pass and clocks are right
   */
  public record Shape(
      int partitions,
      int nodes,
      int ids,
      boolean isLong,
      boolean hasWrongClocks,
      boolean isHeldUp,
      boolean hasConsumers,
      boolean hasLater,
      boolean hasLimits) {
    private boolean has(Event.World world) {
      return switch (world) {
        case ANY -> true;
        case CONSUMERS -> hasConsumers;
        case LATER -> hasLater;
        case LIMITS -> hasLimits;
      };
    }
  }

  /** Draws a trace; every second one has routers and workers. */
  public static Trace of(long seed) {
    return of(seed, new SplittableRandom(~seed).nextBoolean(), false, false);
  }

  /** Draws a trace with routers and workers. */
  public static Trace ofAll(long seed) {
    return of(seed, true, false, false);
  }

  /** Draws a trace with routers, workers and intakes. */
  public static Trace ofLater(long seed) {
    return of(seed, true, true, false);
  }

  /** Draws a trace with routers, workers and limiters. */
  public static Trace ofLimits(long seed) {
    return of(seed, true, false, true);
  }

  /** Draws the trace as it was drawn before there were routers and workers. */
  public static Trace ofSchedulers(long seed) {
    return of(seed, false, false, false);
  }

  private static Trace of(long seed, boolean hasConsumers, boolean hasLater, boolean hasLimits) {
    SplittableRandom random = new SplittableRandom(seed);
    Shape shape =
        new Shape(
            1 + random.nextInt(3),
            1 + random.nextInt(3),
            2 + random.nextInt(6),
            random.nextInt(4) == 0 && !hasLater && !hasLimits,
            random.nextInt(3) == 0 && !hasLimits,
            // by the seed, so that a trace that once failed stays what it was
            seed % 7 == 2,
            hasConsumers,
            hasLater,
            hasLimits);
    List<Event.Kind> kinds =
        Arrays.stream(Event.Kind.values()).filter(kind -> shape.has(kind.world())).toList();
    int total = kinds.stream().mapToInt(Event.Kind::weight).sum();
    List<Event> events = new ArrayList<>();
    int size = 20 + random.nextInt(120);
    for (int i = 0; i < size; i++) {
      int left = random.nextInt(total);
      Event.Kind kind = Event.Kind.NOTHING;
      for (Event.Kind each : kinds) {
        left -= each.weight();
        if (left < 0) {
          kind = each;
          break;
        }
      }
      events.add(new Event(kind, delay(shape, random), i + 1, random.nextLong()));
    }
    return new Trace(seed, shape, events);
  }

  private static long delay(Shape shape, SplittableRandom random) {
    long unit = shape.isLong() ? 3_600_000 : 1_000;
    return switch (random.nextInt(8)) {
      case 0 -> random.nextLong(50);
      case 1, 2 -> random.nextLong(3_000);
      case 3 -> random.nextLong(120 * unit);
      case 4 -> random.nextLong(shape.isLong() ? 1_000 * unit : 20_000);
      default -> random.nextLong(15 * unit);
    };
  }

  Trace with(List<Event> fewer) {
    return new Trace(seed, shape, List.copyOf(fewer));
  }
}
