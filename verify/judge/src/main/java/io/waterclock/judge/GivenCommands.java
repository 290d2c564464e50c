package io.waterclock.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The commands for a schedule, in the order of their timestamps. */
record GivenCommands(
    List<Entry<String>> pauses,
    List<Entry<String>> resumes,
    List<Skip> skips,
    List<Manual> triggers,
    List<Backfill> backfills) {

  record Skip(Entry<String> by, long nominalMs) {}

  /** A fire beside the trigger. */
  record Manual(Entry<String> by, String commandId) {}

  /**
   * @param fromMs inclusive
   * @param toMs exclusive
   */
  record Backfill(Entry<String> by, long fromMs, long toMs) {}

  static GivenCommands of(List<Entry<String>> commands) {
    GivenCommands all =
        new GivenCommands(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    commands.forEach(all::add);
    return all;
  }

  private void add(Entry<String> command) {
    JsonNode tree = ObservedDefinition.tree(command.value().orElseThrow());
    if (tree.has("pause")) {
      pauses.add(command);
    } else if (tree.has("resume")) {
      resumes.add(command);
    } else if (tree.has("skip")) {
      skips.add(new Skip(command, instant(tree.get("skip"), "occurrence")));
    } else if (tree.has("trigger")) {
      triggers.add(new Manual(command, tree.get("command_id").asText()));
    } else if (tree.has("backfill")) {
      JsonNode range = tree.get("backfill");
      backfills.add(new Backfill(command, instant(range, "from"), instant(range, "to")));
    } else {
      throw new IllegalArgumentException("the account does not know the command " + tree);
    }
  }

  private static long instant(JsonNode tree, String field) {
    return Trigger.instant(tree.get(field).asText());
  }
}
