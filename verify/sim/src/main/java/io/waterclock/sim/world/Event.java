package io.waterclock.sim.world;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * Something that happens. It means the same whatever happened before, so that events can be left
 * out of a trace.
 *
 * @param delayMs how long after the event before it
 * @param number for the definition that it writes; unique in its trace
 * @param seed for the choices that it makes, and for the order of steps until the next event
 */
public record Event(Kind kind, long delayMs, int number, long seed) {

  /** What happens. */
  public enum Kind {
    PUT(20),
    PUT_AGAIN(3),
    DELETE(7),
    STRAY(5),
    STRAY_DELETE(3),
    PAUSE(4),
    RESUME(5),
    TRIGGER(3),
    KILL(6),
    START(10),
    SHUT_DOWN(3),
    STOP(5),
    CONTINUE(6),
    CLOCK(3),
    CLOCK_RIGHT(4),
    CLEAN(3),
    MOVE(2),
    SAVE_STATE(2),
    PUT_STATE_BACK(3),
    FORGET_OFFSETS(1),
    NOTHING(4),
    LOSE_REQUEST(2, Trace.Shape::hasConsumers),
    LOSE_RESPONSE(2, Trace.Shape::hasConsumers),
    TARGET_GONE(2, Trace.Shape::hasConsumers),
    TARGET_BACK(4, Trace.Shape::hasConsumers),
    WORKER_KILL(4, Trace.Shape::hasConsumers),
    WORKER_STOP(3, Trace.Shape::hasConsumers),
    WORKER_START(9, Trace.Shape::hasConsumers),
    LATER(40, Trace.Shape::hasLater),
    LIMIT(12, Trace.Shape::hasLimits);

    private final int weight;

    @SuppressWarnings("ImmutableEnumChecker") // a method of a record
    private final Predicate<Trace.Shape> worlds;

    Kind(int weight) {
      this(weight, shape -> true);
    }

    Kind(int weight, Predicate<Trace.Shape> worlds) {
      this.weight = weight;
      this.worlds = worlds;
    }

    /** Whether it happens in a world. */
    boolean isOf(Trace.Shape shape) {
      return worlds.test(shape);
    }

    int weight() {
      return weight;
    }
  }

  @Override
  public String toString() {
    return "after " + Duration.ofMillis(delayMs) + " " + kind + " " + number + " (" + seed + ")";
  }
}
