package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.console.model.DeadLetterRow;
import io.waterclock.console.model.LoadAhead;
import io.waterclock.console.model.MinuteOfFires;
import io.waterclock.console.model.Overview;
import io.waterclock.console.model.PartitionRow;
import io.waterclock.console.model.SchedulePage;
import io.waterclock.console.model.ScheduleRow;
import java.time.Instant;

/** The first screen and lists as JSON; instants are ISO-8601. */
final class OverviewJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final int FULLEST = 15;

  private OverviewJson() {}

  static ObjectNode of(Overview overview) {
    ObjectNode tree = JSON.objectNode().put("at", overview.at().toString());
    ArrayNode partitions = tree.putArray("partitions");
    overview.partitions().forEach(row -> partitions.add(of(row)));
    ArrayNode minutes = tree.putArray("minutes");
    overview.minutes().forEach(minute -> minutes.add(of(minute)));
    ObjectNode states = tree.putObject("states");
    overview.states().forEach((state, count) -> states.put(state.name(), count));
    tree.put("pending", overview.pending()).put("rejected", overview.rejected());
    ArrayNode problems = tree.putArray("problems");
    overview.problems().forEach(problem -> problems.add(of(problem)));
    ArrayNode letters = tree.putArray("dead_letters");
    overview.deadLetters().forEach(letter -> letters.add(of(letter)));
    tree.put("due_in_hour", overview.dueInHour());
    ArrayNode next = tree.putArray("due_next");
    overview.dueNext().forEach(row -> next.add(of(row)));
    return tree;
  }

  static ObjectNode of(SchedulePage page) {
    ObjectNode tree = JSON.objectNode().put("total", page.total());
    ArrayNode rows = tree.putArray("schedules");
    page.rows().forEach(row -> rows.add(of(row)));
    page.after().ifPresent(id -> tree.put("after", id));
    if (page.isCut()) {
      tree.put("cut", true);
    }
    return tree;
  }

  static ObjectNode of(LoadAhead load) {
    ObjectNode tree =
        JSON.objectNode()
            .put("from", load.from().toString())
            .put("schedules", load.schedules())
            .put("total", load.total())
            .put("estimate", load.isEstimate());
    ArrayNode minutes = tree.putArray("minutes");
    load.minutes().forEach(minutes::add);
    ArrayNode fullest = tree.putArray("fullest");
    load.fullest(FULLEST)
        .forEach(
            minute ->
                fullest
                    .addObject()
                    .put("at", minute.at().toString())
                    .put("occurrences", minute.occurrences()));
    ArrayNode groups = tree.putArray("groups");
    load.groups()
        .forEach(
            group ->
                groups
                    .addObject()
                    .put("name", group.name())
                    .put("schedules", group.schedules())
                    .put("occurrences", group.occurrences())
                    .put("fullest", group.fullest()));
    return tree;
  }

  private static ObjectNode of(PartitionRow row) {
    ObjectNode tree =
        JSON.objectNode()
            .put("partition", row.number())
            .put("instance", row.instance())
            .put("decided_through", row.decidedThrough().toString())
            .put("written_at", row.writtenAt().toString())
            .put("live", row.live())
            .put("catching_up", row.catchingUp())
            .put("fired", row.fired())
            .put("missed", row.missed())
            .put("faulted", row.faulted())
            .put("tzdb", row.tzdb());
    row.readThrough().ifPresent(read -> tree.put("read_through", read.toString()));
    return tree;
  }

  private static ObjectNode of(MinuteOfFires minute) {
    ObjectNode tree =
        JSON.objectNode().put("at", minute.at().toString()).put("fires", minute.fires());
    ObjectNode missed = tree.putObject("missed");
    minute.missed().forEach((reason, count) -> missed.put(reason.name(), count));
    ObjectNode outcomes = tree.putObject("outcomes");
    minute.outcomes().forEach((state, count) -> outcomes.put(state.name(), count));
    MinuteOfFires.Lateness lateness = minute.lateness();
    if (lateness.fires() > 0) {
      tree.put("p50_ms", lateness.p50Ms())
          .put("p99_ms", lateness.p99Ms())
          .put("max_ms", lateness.maxMs());
    }
    return tree;
  }

  private static ObjectNode of(Overview.Problem problem) {
    return JSON.objectNode()
        .put("id", problem.id())
        .put("kind", problem.kind())
        .put("since", problem.since().toString())
        .put("text", problem.text())
        .put("author", problem.author());
  }

  private static ObjectNode of(DeadLetterRow letter) {
    return JSON.objectNode()
        .put("at", letter.at().toString())
        .put("place", letter.topic() + "-" + letter.partition() + "@" + letter.offset())
        .put("key", letter.key())
        .put("reason", letter.reason());
  }

  private static ObjectNode of(ScheduleRow row) {
    ObjectNode tree =
        JSON.objectNode()
            .put("id", row.id())
            .put("state", row.state().map(Enum::name).orElse("PENDING"))
            .put("trigger", row.trigger())
            .put("zone", row.zone())
            .put("rejected", row.rejected());
    row.owner().ifPresent(owner -> tree.put("owner", owner));
    row.since().map(Instant::toString).ifPresent(at -> tree.put("since", at));
    row.next().map(Instant::toString).ifPresent(at -> tree.put("next", at));
    row.lastFired().map(Instant::toString).ifPresent(at -> tree.put("last_fired", at));
    return tree;
  }
}
