package io.waterclock.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Overlap;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a definition says, as far as the account needs it.
 *
 * @param trigger within its bounds
 * @param overlap what becomes of an occurrence that is due while the fire before it runs
 * @param timeoutMs how long a run may take; empty: half of the interval
 * @param skips instants that its own list leaves out
 * @param isExcluded whether its calendar excludes every day
 * @param hasEffect whether each fire has an effect
 * @param expected within how many milliseconds what is expected
 * @param target the topic to which the router takes its fires
 * @param targetKey under which it does; empty: under theirs
 */
record ObservedDefinition(
    Trigger trigger,
    boolean enabled,
    CatchUp catchUp,
    long graceMs,
    Overlap overlap,
    OptionalLong timeoutMs,
    long jitterMs,
    Set<Long> skips,
    boolean isExcluded,
    OptionalLong maxOccurrences,
    OptionalLong maxReplay,
    OptionalLong catchUpWindowMs,
    boolean hasEffect,
    Map<Expectation, Long> expected,
    Optional<String> target,
    Optional<String> targetKey,
    JsonNode payload) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long DEFAULT_GRACE_MS = 60_000;

  /** The calendar that excludes every day of a run, as it stands in a definition. */
  private static final String CLOSED = "[\"closed\"]";

  private static final Set<String> KNOWN =
      Set.of(
          "every",
          "anchor",
          "cron",
          "at",
          "in",
          "enabled",
          "catch_up",
          "grace",
          "overlap",
          "type",
          "timeout",
          "jitter",
          "skip",
          "except",
          "max_occurrences",
          "max_replay",
          "catch_up_window",
          "start_at",
          "end_at",
          "expect",
          "target",
          "payload");

  /**
   * @throws IllegalArgumentException if it holds anything that the account does not know
   */
  static ObservedDefinition parse(String json) {
    JsonNode tree = tree(json);
    for (Iterator<String> names = tree.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!KNOWN.contains(name)) {
        throw new IllegalArgumentException("the account does not know the field " + name);
      }
    }
    Set<Long> skips = new TreeSet<>();
    tree.path("skip").forEach(one -> skips.add(Trigger.instant(one.asText())));
    return new ObservedDefinition(
        trigger(tree),
        tree.path("enabled").asBoolean(true),
        CatchUp.valueOf(tree.path("catch_up").asText("collapse").toUpperCase(Locale.ROOT)),
        duration(tree, "grace").orElse(DEFAULT_GRACE_MS),
        Overlap.valueOf(tree.path("overlap").asText("allow").toUpperCase(Locale.ROOT)),
        duration(tree, "timeout"),
        duration(tree, "jitter").orElse(0),
        skips,
        tree.path("except").toString().equals(CLOSED),
        number(tree, "max_occurrences"),
        number(tree, "max_replay"),
        duration(tree, "catch_up_window"),
        tree.path("type").asText().equals("effect"),
        expected(tree.path("expect")),
        text(tree.path("target"), "topic"),
        text(tree.path("target"), "key"),
        tree.path("payload"));
  }

  private static Map<Expectation, Long> expected(JsonNode tree) {
    Map<Expectation, Long> expected = new EnumMap<>(Expectation.class);
    for (Expectation each : Expectation.values()) {
      duration(tree, each.name().toLowerCase(Locale.ROOT)).ifPresent(ms -> expected.put(each, ms));
    }
    return expected;
  }

  /** Within how many milliseconds; empty if it is not expected. */
  Optional<Long> expected(Expectation expectation) {
    return Optional.ofNullable(expected.get(expectation));
  }

  static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + json, e);
    }
  }

  private static Trigger trigger(JsonNode tree) {
    Trigger trigger = unbounded(tree);
    return tree.has("start_at") || tree.has("end_at")
        ? new Trigger.Bounded(
            trigger,
            instant(tree, "start_at").orElse(Long.MIN_VALUE / 2),
            instant(tree, "end_at").orElse(Long.MAX_VALUE / 2))
        : trigger;
  }

  private static Trigger unbounded(JsonNode tree) {
    if (tree.has("every")) {
      long stepMs = duration(tree, "every").orElseThrow();
      OptionalLong anchor = instant(tree, "anchor");
      return anchor.isPresent()
          ? new Trigger.Every(anchor.getAsLong(), stepMs)
          : new Trigger.Grid(stepMs);
    }
    if (tree.has("cron")) {
      return Trigger.Cron.parse(tree.get("cron").asText());
    }
    return tree.has("in")
        ? new Trigger.Delayed(duration(tree, "in").orElseThrow())
        : new Trigger.Once(instant(tree, "at").orElseThrow());
  }

  private static OptionalLong instant(JsonNode tree, String field) {
    return tree.has(field)
        ? OptionalLong.of(Trigger.instant(tree.get(field).asText()))
        : OptionalLong.empty();
  }

  private static Optional<String> text(JsonNode tree, String field) {
    return Optional.ofNullable(tree.get(field)).map(JsonNode::asText);
  }

  private static OptionalLong number(JsonNode tree, String field) {
    return tree.has(field) ? OptionalLong.of(tree.get(field).asLong()) : OptionalLong.empty();
  }

  /** {@code 5s}, {@code 250ms} or ISO-8601. */
  private static OptionalLong duration(JsonNode tree, String field) {
    if (!tree.has(field)) {
      return OptionalLong.empty();
    }
    String text = tree.get(field).asText();
    if (text.matches("\\d+ms")) {
      return OptionalLong.of(Long.parseLong(text.substring(0, text.length() - 2)));
    }
    return OptionalLong.of(Duration.parse(text.startsWith("P") ? text : "PT" + text).toMillis());
  }

  /** Whether it ends by itself. */
  boolean mayComplete() {
    return trigger.isOnce()
        || maxOccurrences.isPresent()
        || (trigger instanceof Trigger.Bounded bounded && bounded.endMs() < Long.MAX_VALUE / 2);
  }

  boolean replays() {
    return catchUp == CatchUp.REPLAY;
  }
}
