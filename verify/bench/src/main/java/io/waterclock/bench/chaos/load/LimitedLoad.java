package io.waterclock.bench.chaos.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.Topics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Schedules that share limits, and the limits, which change: bounds, a rate, pauses, windows, and
 * none. They want about as much as the limits allow. Thread-safe.
 */
public final class LimitedLoad {
  private static final String PREFIX = "limited/";
  private static final List<String> GROUPS = List.of("etl", "partner", "night");
  private static final int SCHEDULES = 15;

  /** Of so many calls one changes something. */
  private static final int ONE_IN = 12;

  /** What a limit is in the end, with room for some of its fires and not for all. */
  private static final String SETTLED = "{\"max_running\":2}";

  private final Topics topics;
  private final SplittableRandom random;
  private final Sender sender;
  private boolean isSettled;
  private int serial;

  LimitedLoad(Topics topics, SplittableRandom random, Sender sender) {
    this.topics = topics;
    this.random = random;
    this.sender = sender;
  }

  /** Whether a schedule, or what has the key of one, is of this load. */
  public static boolean has(String key) {
    return key.startsWith(PREFIX);
  }

  Sender sender() {
    return sender;
  }

  synchronized void start(Instant now) {
    GROUPS.forEach(group -> limit(group, Optional.of(SETTLED)));
    for (int n = 0; n < SCHEDULES; n++) {
      define(n, now);
    }
    sender.flush();
  }

  synchronized void act(Instant now) {
    if (isSettled || random.nextInt(ONE_IN) > 0) {
      return;
    }
    int n = random.nextInt(SCHEDULES);
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> limit(one(GROUPS), limit());
      case 4, 5, 6 -> define(n, now);
      case 7 -> write(topics.schedules(), id(n), Optional.empty());
      case 8 -> command(n, "trigger");
      default -> command(n, random.nextBoolean() ? "pause" : "resume");
    }
  }

  /** The last changes: from now on each limit has room for some of its fires and not for all. */
  synchronized void settle(Instant now) {
    isSettled = true;
    start(now);
    for (int n = 0; n < SCHEDULES; n++) {
      command(n, "resume");
    }
    sender.flush();
  }

  /** Empty for the end of a limit; with zero it is refused, and changes nothing. */
  private Optional<String> limit() {
    return switch (random.nextInt(12)) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of("{\"max_running\":0}");
      case 2 -> Optional.of("{\"max_running\":2,\"paused\":{\"note\":\"chaos\"}}");
      case 3 ->
          Optional.of(
              "{\"max_running\":3,\"closed\":[{\"cron\":\"*/30 * * * * *\",\"duration\":\"8s\"}]}");
      case 4, 5 -> Optional.of("{\"per_second\":" + (1 + random.nextInt(2)) + "}");
      case 6 -> Optional.of("{\"max_running\":2,\"per_second\":1}");
      default -> Optional.of("{\"max_running\":" + (1 + random.nextInt(3)) + "}");
    };
  }

  private void limit(String group, Optional<String> json) {
    write(topics.limits(), group, json);
  }

  private void define(int n, Instant now) {
    ObjectNode shape = JsonNodeFactory.instance.objectNode();
    shape.put("every", (2 + random.nextInt(4)) + "s");
    shape.put("anchor", now.minusMillis(random.nextLong(10_000)).toString());
    shape.put("catch_up", one(List.of("replay", "collapse", "skip")));
    shape.put("grace", one(List.of("5s", "60s")));
    shape.put("limit", GROUPS.get(random.nextInt(8) == 0 ? random.nextInt(3) : n % 3));
    shape.put("timeout", (3 + random.nextInt(3)) + "s");
    shape.put("priority", random.nextInt(3));
    if (random.nextBoolean()) {
      shape.put("expires", (5 + random.nextInt(20)) + "s");
    }
    shape.putObject("payload").put("n", ++serial);
    write(topics.schedules(), id(n), Optional.of(shape.toString()));
  }

  private void command(int n, String what) {
    ObjectNode command = JsonNodeFactory.instance.objectNode();
    command.put("command_id", what + "-" + ++serial);
    command.putObject(what);
    write(topics.commands(), id(n), Optional.of(command.toString()));
  }

  private static String id(int n) {
    return PREFIX + n;
  }

  private void write(String topic, String key, Optional<String> value) {
    sender.send(topic, Optional.empty(), key, value, () -> {});
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
