package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.emit.FireRecords;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordKey;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Reads input records: each becomes an event, or a rejection that names all that is wrong. */
public final class DefinitionReader {

  /** What a record says. */
  sealed interface Reading {
    /** The record defines or deletes a schedule. */
    record Understood(ScheduleId id, Event event) implements Reading {}

    /** The id is good, the definition is not. */
    record Rejected(ScheduleId id, List<Problem> problems) implements Reading {}

    /**
     * Not a schedule at all: for the dead-letter topic.
     *
     * @param id empty when the key is no schedule id: then there is no status to tell of it
     */
    record Dead(Optional<ScheduleId> id, Problem problem) implements Reading {}
  }

  private final Settings settings;
  private final DefinitionCheck definitions;
  private final ImportReader imports;

  /**
   * @param calendars the names of those that there are
   */
  public DefinitionReader(
      Settings settings, FireRecords fires, Supplier<Set<String>> calendars, TargetTopics topics) {
    this.settings = settings;
    this.definitions = new DefinitionCheck(settings, fires, calendars, topics);
    this.imports = new ImportReader(settings.limits(), definitions);
  }

  Reading read(Inbound inbound) {
    RecordKey key = RecordKey.of(inbound);
    if (key instanceof RecordKey.Bad bad) {
      return new Reading.Dead(Optional.empty(), bad.problem());
    }
    ScheduleId id = key.good().orElseThrow();
    if (inbound.value().isEmpty()) {
      return new Reading.Understood(id, new Event.Deleted(inbound.timestamp()));
    }
    return define(id, inbound, inbound.value().get());
  }

  /** What is wrong with the state of an import; asked only where it is to be taken over. */
  List<Problem> problems(ScheduleId id, Event.Imported imported) {
    return imports.problems(id, imported);
  }

  /** That the state of an import would not fit into the stores, if it would not. */
  Optional<Problem> tooLarge(ScheduleState imported) {
    return imports.tooLarge(imported);
  }

  private Reading define(ScheduleId id, Inbound inbound, byte[] value) {
    Schedule schedule;
    List<Problem> known = new ArrayList<>();
    try {
      if (WireFormat.detect(value).equals(Optional.of(WireFormat.JSON))) {
        ScheduleReading reading = ScheduleJson.read(value, settings.defaultTimezone());
        schedule = reading.schedule();
        known.addAll(reading.problems());
      } else {
        schedule = RecordCodecs.schedule().decode(value, settings.wire().schemas());
      }
    } catch (UndecodableException e) {
      return new Reading.Dead(Optional.of(id), problem("", String.valueOf(e.getMessage())));
    }
    Schedule normal = definitions.normalise(schedule);
    List<Problem> problems =
        definitions.problems(id, normal, known, inbound.revision(), inbound.timestamp());
    Optional<ExportedState> imported = imports.read(inbound, problems);
    return problems.isEmpty()
        ? new Reading.Understood(id, event(normal, imported, inbound))
        : new Reading.Rejected(id, problems);
  }

  private static Event event(Schedule schedule, Optional<ExportedState> imported, Inbound inbound) {
    return imported.isPresent()
        ? new Event.Imported(schedule, imported.get(), inbound.revision(), inbound.timestamp())
        : new Event.Defined(schedule, inbound.revision(), inbound.timestamp());
  }

  private static Problem problem(String field, String message) {
    return Problem.newBuilder().setField(field).setMessage(message).build();
  }
}
