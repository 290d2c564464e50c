package io.waterclock.bench.chaos.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a definition says, as far as the account needs it.
 *
 * @param skips instants that its own list leaves out
 * @param hasEffect whether each fire has an effect in the database
 * @param isExcluded whether its calendar excludes every day
 */
record ObservedDefinition(
    Trigger trigger,
    CatchUp catchUp,
    long graceMs,
    Overlap overlap,
    OptionalLong timeoutMs,
    long jitterMs,
    Set<Long> skips,
    boolean hasEffect,
    boolean isExcluded,
    OptionalInt maxOccurrences,
    OptionalInt maxReplay,
    OptionalLong catchUpWindowMs,
    Optional<String> target) {

  enum CatchUp {
    SKIP,
    COLLAPSE,
    REPLAY
  }

  enum Overlap {
    ALLOW,
    SKIP,
    BUFFER_ONE
  }

  private static final long DEFAULT_GRACE_MS = 60_000;

  /** The calendar that excludes every day of a run. */
  public static final String CLOSED = "closed";

  private static final Set<String> KNOWN =
      Set.of(
          "every",
          "anchor",
          "cron",
          "at",
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
          "target",
          "payload");

  /**
   * @throws IllegalArgumentException if it holds anything that the account does not know
   */
  static ObservedDefinition parse(String json) {
    JsonNode tree = Trees.parse(json);
    for (Iterator<String> names = tree.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!KNOWN.contains(name)) {
        throw new IllegalArgumentException("the account does not know the field " + name);
      }
    }
    Set<Long> skips = new TreeSet<>();
    tree.path("skip").forEach(one -> skips.add(Instant.parse(one.asText()).toEpochMilli()));
    return new ObservedDefinition(
        trigger(tree),
        tree.has("catch_up")
            ? CatchUp.valueOf(tree.get("catch_up").asText().toUpperCase(Locale.ROOT))
            : CatchUp.COLLAPSE,
        tree.has("grace") ? ms(tree.get("grace").asText()) : DEFAULT_GRACE_MS,
        tree.has("overlap")
            ? Overlap.valueOf(tree.get("overlap").asText().toUpperCase(Locale.ROOT))
            : Overlap.ALLOW,
        tree.has("timeout")
            ? OptionalLong.of(ms(tree.get("timeout").asText()))
            : OptionalLong.empty(),
        tree.has("jitter") ? ms(tree.get("jitter").asText()) : 0,
        skips,
        tree.path("type").asText().equals("effect"),
        List.of("[\"" + CLOSED + "\"]").contains(tree.path("except").toString()),
        tree.has("max_occurrences")
            ? OptionalInt.of(tree.get("max_occurrences").asInt())
            : OptionalInt.empty(),
        tree.has("max_replay")
            ? OptionalInt.of(tree.get("max_replay").asInt())
            : OptionalInt.empty(),
        tree.has("catch_up_window")
            ? OptionalLong.of(ms(tree.get("catch_up_window").asText()))
            : OptionalLong.empty(),
        Optional.ofNullable(tree.path("target").get("topic")).map(JsonNode::asText));
  }

  private static Trigger trigger(JsonNode tree) {
    Trigger trigger =
        tree.has("every")
            ? new Trigger.Every(instant(tree, "anchor"), ms(tree.get("every").asText()))
            : tree.has("cron")
                ? Trigger.Cron.parse(tree.get("cron").asText())
                : new Trigger.Once(instant(tree, "at"));
    return tree.has("start_at") || tree.has("end_at")
        ? new Trigger.Bounded(
            trigger,
            tree.has("start_at") ? instant(tree, "start_at") : Long.MIN_VALUE / 2,
            tree.has("end_at") ? instant(tree, "end_at") : Long.MAX_VALUE / 2)
        : trigger;
  }

  private static long instant(JsonNode tree, String field) {
    return Instant.parse(tree.get(field).asText()).toEpochMilli();
  }

  /** Whole seconds, as {@code 5s}. */
  private static long ms(String text) {
    if (!text.matches("\\d+s")) {
      throw new IllegalArgumentException("the account does not know the duration " + text);
    }
    return Long.parseLong(text.substring(0, text.length() - 1)) * 1_000;
  }
}
