package io.waterclock.bench.chaos.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;

/** What the scheduler wrote about occurrences. */
sealed interface Emitted {
  Entry entry();

  String scheduleId();

  String revision();

  /** When the scheduler decided, by its clock. */
  long decidedMs();

  /**
   * A fire.
   *
   * @param collapsed the other occurrences that it stands for
   */
  record Fired(
      Entry entry,
      String scheduleId,
      String revision,
      long occurrenceMs,
      long dueMs,
      long decidedMs,
      String cause,
      Optional<Collapsed> collapsed,
      Optional<String> target)
      implements Emitted {

    static Fired parse(Entry entry) {
      JsonNode tree = Trees.parse(entry.value().orElseThrow());
      return new Fired(
          entry,
          tree.get("schedule_id").asText(),
          tree.get("revision").asText(),
          Trees.ms(tree, "occurrence"),
          Trees.ms(tree, "due"),
          Trees.ms(tree, "fired_at"),
          tree.get("cause").asText(),
          tree.hasNonNull("collapsed")
              ? Optional.of(Collapsed.parse(tree.get("collapsed")))
              : Optional.empty(),
          Optional.ofNullable(entry.headers().get("waterclock-target")));
    }

    /** Whether it is an occurrence of the trigger in its turn, and no command ordered it. */
    boolean isScheduled() {
      return cause.equals("SCHEDULED") || cause.equals("CATCH_UP");
    }

    /** The same for all fires of an occurrence. */
    String id() {
      return entry.headers().getOrDefault("ce_id", "");
    }
  }

  /**
   * What a fire says of the other occurrences that it stands for.
   *
   * @param isExact whether the count is more than a lower bound
   */
  record Collapsed(long count, boolean isExact, long firstMs) {
    private static Collapsed parse(JsonNode tree) {
      return new Collapsed(
          tree.get("count").asLong(),
          !tree.path("count_is_lower_bound").asBoolean(),
          Trees.ms(tree, "first"));
    }

    boolean counts(long others) {
      return isExact ? others == count : others >= count;
    }
  }

  /**
   * A range of occurrences that did not fire, both ends inclusive.
   *
   * @param count empty when it is only a lower bound
   */
  record MissedRange(
      Entry entry,
      String scheduleId,
      String revision,
      long firstMs,
      long lastMs,
      OptionalLong count,
      String reason,
      OptionalLong collapsedIntoMs,
      long decidedMs)
      implements Emitted {

    static MissedRange parse(Entry entry) {
      JsonNode tree = Trees.parse(entry.value().orElseThrow());
      return new MissedRange(
          entry,
          tree.get("schedule_id").asText(),
          tree.get("revision").asText(),
          Trees.ms(tree, "first"),
          Trees.ms(tree, "last"),
          tree.path("count_is_lower_bound").asBoolean()
              ? OptionalLong.empty()
              : OptionalLong.of(tree.get("count").asLong()),
          tree.get("reason").asText(),
          tree.hasNonNull("collapsed_into")
              ? OptionalLong.of(Trees.ms(tree, "collapsed_into"))
              : OptionalLong.empty(),
          Trees.ms(tree, "decided_at"));
    }
  }
}
