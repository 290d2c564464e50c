package io.waterclock.sim.world;

import java.time.Duration;

/**
 * Something that happens. It means the same whatever happened before, so that events can be left
 * out of a trace.
 *
 * @param delayMs how long after the event before it
 * @param number for the definition that it writes; unique in its trace
 * @param seed for the choices that it makes, and for the order of steps until the next event
 */
public record Event(Kind kind, long delayMs, int number, long seed) {

  /** What a world must have for a kind of event. */
  enum World {
    ANY,
    CONSUMERS,
    LATER,
    LIMITS
  }

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
    LOSE_REQUEST(2, World.CONSUMERS),
    LOSE_RESPONSE(2, World.CONSUMERS),
    TARGET_GONE(2, World.CONSUMERS),
    TARGET_BACK(4, World.CONSUMERS),
    WORKER_KILL(4, World.CONSUMERS),
    WORKER_STOP(3, World.CONSUMERS),
    WORKER_START(9, World.CONSUMERS),
    LATER(40, World.LATER),
    LIMIT(12, World.LIMITS);

    private final int weight;
    private final World world;

    Kind(int weight) {
      this(weight, World.ANY);
    }

    Kind(int weight, World world) {
      this.weight = weight;
      this.world = world;
    }

    /** In which worlds it happens. */
    World world() {
      return world;
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
