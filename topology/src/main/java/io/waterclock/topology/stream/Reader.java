package io.waterclock.topology.stream;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleJson;
import io.waterclock.schemas.ScheduleReading;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.decide.Event;
import io.waterclock.topology.decide.MinInterval;
import io.waterclock.topology.decide.OwnerLimits;
import io.waterclock.topology.decide.OwnerLimits.Owner;
import io.waterclock.topology.decide.Validation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;

/** Reads input records: each becomes an event, or a rejection that names all that is wrong. */
final class Reader {

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
  private final FireRecords fires;
  private final Supplier<Set<String>> calendars;
  private final TargetCheck targets;
  private final OwnerLimits owners;
  private final Validation validation;
  private final Map<Owner, Validation> validationOf = new HashMap<>();

  /**
   * @param calendars the names of those that there are
   */
  Reader(
      Settings settings, FireRecords fires, Supplier<Set<String>> calendars, TargetTopics topics) {
    this.targets = new TargetCheck(settings.targets(), topics);
    this.settings = settings;
    this.fires = fires;
    this.calendars = calendars;
    this.validation = new Validation(settings.limits().minInterval(), settings.defaultTimezone());
    this.owners = settings.limits().owners();
    for (Owner owner : owners.owners()) {
      owner
          .minInterval()
          .map(interval -> new MinInterval(interval, Optional.of(owner.name())))
          .map(interval -> new Validation(interval, settings.defaultTimezone()))
          .ifPresent(own -> validationOf.put(owner, own));
    }
  }

  Reading read(Inbound inbound) {
    Key key = Key.of(inbound);
    if (key instanceof Key.Bad bad) {
      return new Reading.Dead(Optional.empty(), bad.problem());
    }
    ScheduleId id = key.good().orElseThrow();
    if (inbound.value().isEmpty()) {
      return new Reading.Understood(id, new Event.Deleted(inbound.timestamp()));
    }
    return define(id, inbound, inbound.value().get());
  }

  private Reading define(ScheduleId id, Inbound inbound, byte[] value) {
    Schedule schedule;
    List<Problem> problems = new ArrayList<>();
    try {
      if (WireFormat.detect(value).equals(Optional.of(WireFormat.JSON))) {
        ScheduleReading reading = ScheduleJson.read(value, settings.defaultTimezone());
        schedule = reading.schedule();
        problems.addAll(reading.problems());
      } else {
        schedule = RecordCodecs.schedule().decode(value, settings.wire().schemas());
      }
    } catch (UndecodableException e) {
      return new Reading.Dead(Optional.of(id), problem("", String.valueOf(e.getMessage())));
    }
    Optional<ExportedState> imported = imported(inbound, problems);
    Validation rules =
        owners.of(id).map(owner -> validationOf.getOrDefault(owner, validation)).orElse(validation);
    Schedule normal = rules.normalise(schedule);
    problems.addAll(rules.problems(normal, problems, inbound.timestamp(), calendars.get()));
    owners
        .payload(id, Optional.ofNullable(normal.getPayload()), "payload")
        .ifPresent(problems::add);
    if (problems.stream().noneMatch(known -> known.getField().startsWith("target"))) {
      problems.addAll(targets.problems(normal, inbound.timestamp()));
    }
    if (problems.isEmpty()) {
      tooLarge(id, normal, inbound).ifPresent(problems::add);
    }
    return problems.isEmpty()
        ? new Reading.Understood(id, event(normal, imported, inbound))
        : new Reading.Rejected(id, problems);
  }

  private static Event event(Schedule schedule, Optional<ExportedState> imported, Inbound inbound) {
    return imported.isPresent()
        ? new Event.Imported(schedule, imported.get(), inbound.revision(), inbound.timestamp())
        : new Event.Defined(schedule, inbound.revision(), inbound.timestamp());
  }

  private static Optional<ExportedState> imported(Inbound inbound, List<Problem> problems) {
    Header header = inbound.headers().lastHeader(Headers.IMPORT);
    if (header == null || header.value() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(RecordCodecs.exportedState().decode(header.value()));
    } catch (UndecodableException e) {
      problems.add(problem("", "the header " + Headers.IMPORT + " is broken: " + e.getMessage()));
      return Optional.empty();
    }
  }

  private Optional<Problem> tooLarge(ScheduleId id, Schedule schedule, Inbound inbound) {
    Record<byte[], Object> largest = fires.largest(id, schedule, inbound.revision());
    int size = FireRecords.size(largest);
    int limit = settings.limits().maxFireBytes();
    if (size <= limit) {
      return targets.tooLarge(schedule, largest, inbound.timestamp());
    }
    return Optional.of(
        problem(
            "payload",
            "a fire of this schedule could take "
                + size
                + " bytes, more than the "
                + limit
                + " that can be written; make the payload smaller or send a reference to it"));
  }

  private static Problem problem(String field, String message) {
    return Problem.newBuilder().setField(field).setMessage(message).build();
  }
}
