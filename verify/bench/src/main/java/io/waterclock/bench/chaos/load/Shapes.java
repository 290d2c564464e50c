package io.waterclock.bench.chaos.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Draws definitions. For one thread. */
final class Shapes {
  /** A calendar that excludes every day. */
  static final String CLOSED = "closed";

  /** The type of schedules whose fires have an effect in the database. */
  static final String EFFECT = "effect";

  /** A calendar that excludes no day of a run. */
  static final String OPEN = "open";

  private static final List<String> EXPECTED =
      List.of("started_within", "succeeded_within", "succeeded_every");
  private static final List<String> POLICIES = List.of("replay", "replay", "collapse", "skip");
  private static final List<String> GRACES = List.of("2s", "3s", "5s", "60s");
  private static final List<Integer> STEPS = List.of(1, 1, 2, 3, 5, 7);

  private static final List<String> CRONS =
      List.of(
          "* * * * * *",
          "*/2 * * * * *",
          "*/5 * * * * *",
          "1,2,3,17,18,40 * * * * *",
          "3/10 * * * * *",
          "*/3 */2 * * * *",
          "0 * * * * *");

  private final SplittableRandom random;
  private final String target;

  /**
   * @param target a topic that may be a target
   */
  Shapes(SplittableRandom random, String target) {
    this.random = random;
    this.target = target;
  }

  /** Fires every second and is replayed, whatever happens. */
  static ObjectNode steady(Instant anchor) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("every", "1s")
        .put("anchor", anchor.toString())
        .put("catch_up", "replay")
        .put("grace", "5s")
        .put("type", EFFECT);
  }

  ObjectNode once(Instant now) {
    ObjectNode shape = JsonNodeFactory.instance.objectNode();
    shape.put("type", EFFECT);
    shape.put("at", now.plusMillis(random.nextLong(1_500, 15_000)).toString());
    shape.put("catch_up", one(POLICIES));
    shape.put("grace", one(GRACES));
    if (random.nextInt(3) == 0) {
      shape.putObject("target").put("topic", target);
    }
    return shape;
  }

  /** Recurs for some seconds or for the whole run. */
  ObjectNode recurring(Instant now) {
    ObjectNode shape = JsonNodeFactory.instance.objectNode();
    retime(shape, now);
    String policy = one(POLICIES);
    shape.put("catch_up", policy);
    shape.put("grace", one(GRACES));
    shape.put("type", EFFECT);
    if (random.nextInt(3) == 0) {
      shape.put("end_at", now.plusMillis(random.nextLong(4_000, 45_000)).toString());
    }
    switch (random.nextInt(14)) {
      case 0 -> shape.put("max_occurrences", 1 + random.nextInt(20));
      case 1, 2, 3 -> {
        shape.remove("type"); // these have workers of another kind
        // a replay whose runs take longer than the interval would not end
        shape.put("catch_up", random.nextBoolean() ? "skip" : "collapse");
        shape.put("overlap", random.nextBoolean() ? "skip" : "buffer_one");
        shape.put("timeout", (2 + random.nextInt(3)) + "s");
        if (random.nextBoolean()) {
          shape.putObject("expect").put(one(EXPECTED), (1 + random.nextInt(4)) + "s");
        }
      }
      case 4 -> {
        if (shape.has("every")) {
          shape.put("jitter", "1s");
        }
      }
      case 5 -> shape.putArray("except").add(random.nextBoolean() ? CLOSED : OPEN);
      case 6 -> {
        if (policy.equals("replay")) {
          shape.put("max_replay", 5);
        }
      }
      default -> {}
    }
    if (random.nextInt(4) == 0) {
      shape.putObject("target").put("topic", target);
    }
    return shape;
  }

  /** Gives it another trigger. */
  void retime(ObjectNode shape, Instant now) {
    shape.remove(Set.of("every", "anchor", "cron"));
    if (random.nextInt(3) == 0) {
      shape.put("cron", one(CRONS));
    } else {
      shape.put("every", one(STEPS) + "s");
      shape.put("anchor", now.minusMillis(random.nextLong(10_000)).toString());
    }
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
