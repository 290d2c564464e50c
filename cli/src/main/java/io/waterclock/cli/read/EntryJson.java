package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A schedule as JSON; what people query is at the top. */
final class EntryJson {
  private EntryJson() {}

  /**
   * @param next the next occurrences; empty if they are unknown
   */
  static ObjectNode of(KnownSchedule entry, Optional<List<Instant>> next) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("id", entry.id());
    tree.put("state", entry.state().map(State::name).orElse("PENDING"));
    entry.schedule().map(Schedule::getOwner).ifPresent(owner -> tree.put("owner", owner));
    entry
        .schedule()
        .ifPresent(schedule -> tree.set("definition", RecordCodecs.schedule().toJson(schedule)));
    if (entry.isUnsure()) {
      tree.put("definition_unsure", true);
    }
    entry.status().ifPresent(status -> tree.set("status", RecordCodecs.status().toJson(status)));
    next.ifPresent(
        instants -> instants.forEach(instant -> tree.withArray("next").add(instant.toString())));
    return tree;
  }
}
