package io.waterclock.bench.chaos.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The commands for a schedule, in their order. */
record CommandsGiven(
    List<Pause> pauses, List<Skip> skips, List<Trigger> triggers, List<Backfill> backfills) {
  /** A moment at which a record was written, and at which a consumer had it and its schema. */
  record Moment(long writtenMs, long readMs) {
    static Moment of(Entry entry) {
      return new Moment(entry.timestampMs(), entry.readableMs());
    }
  }

  /**
   * @param to empty when nothing resumed it
   */
  record Pause(Moment from, Optional<Moment> to) {}

  record Skip(Moment at, long occurrenceMs) {}

  record Trigger(Moment at, String commandId) {}

  /**
   * @param fromMs inclusive
   * @param toMs exclusive
   */
  record Backfill(Moment at, long fromMs, long toMs) {}

  static CommandsGiven of(List<Entry> entries) {
    CommandsGiven all =
        new CommandsGiven(
            new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    entries.forEach(all::add);
    return all;
  }

  private void add(Entry entry) {
    JsonNode tree = Trees.parse(entry.value().orElseThrow());
    Moment at = Moment.of(entry);
    int last = pauses.size() - 1;
    if (tree.has("pause")) {
      pauses.add(new Pause(at, Optional.empty()));
    } else if (tree.has("resume") && last >= 0) {
      pauses.set(last, new Pause(pauses.get(last).from(), Optional.of(at)));
    } else if (tree.has("skip")) {
      skips.add(new Skip(at, Trees.ms(tree.get("skip"), "occurrence")));
    } else if (tree.has("trigger")) {
      triggers.add(new Trigger(at, tree.get("command_id").asText()));
    } else if (tree.has("backfill")) {
      JsonNode range = tree.get("backfill");
      backfills.add(new Backfill(at, Trees.ms(range, "from"), Trees.ms(range, "to")));
    }
  }
}
