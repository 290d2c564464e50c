package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.definition.ExpectedRuns;
import io.waterclock.definition.MinInterval;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.OwnerLimits.Owner;
import io.waterclock.definition.Validation;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.emit.FireLimit;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads records of the schedules topic: each becomes an event, or a rejection that lists all its
 * problems. A definition must be valid and within the limits of its owner, its target must be
 * allowed, and its fires must fit into the topics. Not thread-safe.
 */
public final class DefinitionReader {

  /** The result of reading a record. */
  public sealed interface Reading {
    /** The record defines or deletes a schedule. */
    record Understood(ScheduleId id, Event event) implements Reading {}

    /** The id is valid, the definition is not. */
    record Rejected(ScheduleId id, List<Problem> problems) implements Reading {}

    /**
     * The record is no schedule: for the dead-letter topic.
     *
     * @param id empty when the key is no schedule id: then no status can report the problem
     */
    record Dead(Optional<ScheduleId> id, Problem problem) implements Reading {}
  }

  /**
   * A producer stamps its definition and a broker stamps the calendar. A calendar that is younger
   * than the definition by this much, inclusive, may have come first.
   */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(5);

  /** No record was written before: what is stamped so counts in seconds. */
  private static final Instant FIRST_TIMESTAMP = Instant.parse("2000-01-01T00:00:00Z");

  private final Settings.Channels channels;
  private final FireLimit limit;
  private final int mostRepeated;
  private final Supplier<Calendars> calendars;
  private final TargetCheck targets;
  private final OwnerLimits owners;
  private final Validation validation;
  private final Map<Owner, Validation> validationOf = new HashMap<>();
  private final ImportReader imports;

  /**
   * @param limit of the records of the same settings
   * @param calendars the ones that exist
   * @param effort counts the steps of all searches
   */
  public DefinitionReader(
      Settings settings,
      FireLimit limit,
      Supplier<Calendars> calendars,
      TargetTopics targets,
      Effort effort) {
    this.channels = settings.channels();
    this.limit = limit;
    this.calendars = calendars;
    this.targets = new TargetCheck(channels.targets(), targets);
    this.owners = settings.limits().owners();
    this.mostRepeated = settings.limits().fireBytes().payload();
    this.validation =
        new Validation(
            new MinInterval(settings.limits().minInterval(), Optional.empty()),
            channels.defaultTimezone(),
            effort);
    for (Owner owner : owners.owners()) {
      owner
          .minInterval()
          .map(interval -> new MinInterval(interval, Optional.of(owner.name())))
          .map(interval -> new Validation(interval, channels.defaultTimezone(), effort))
          .ifPresent(own -> validationOf.put(owner, own));
    }
    this.imports = new ImportReader(settings.limits(), effort);
  }

  /** Reads a record. May wait for half a second, to learn whether a target exists. */
  public Reading read(Inbound inbound) {
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

  /** The problems of an imported state; only for a schedule that does not exist here. */
  List<Problem> problems(ScheduleId id, Event.Imported imported) {
    return imports.problems(id, imported, older -> problems(id, older, imported.timestamp()));
  }

  /** The problem that an imported state does not fit into the stores; empty when it does. */
  Optional<Problem> tooLarge(ScheduleState imported) {
    return imports.tooLarge(imported);
  }

  private Reading define(ScheduleId id, Inbound inbound, byte[] value) {
    Schedule schedule;
    List<Problem> known = new ArrayList<>();
    try {
      if (WireFormat.detect(value).equals(Optional.of(WireFormat.JSON))) {
        ScheduleReading reading = ScheduleJson.read(value, channels.defaultTimezone());
        schedule = reading.schedule();
        known.addAll(reading.problems());
      } else {
        schedule = RecordCodecs.schedule().decode(value, channels.wire().schemas());
      }
    } catch (UndecodableException e) {
      return new Reading.Dead(Optional.of(id), Problems.of("", String.valueOf(e.getMessage())));
    }
    Schedule normal = validation.normalise(schedule);
    ExpectedRuns.addDefaults(normal, owners.of(id).flatMap(Owner::expect));
    List<Problem> problems = problems(id, normal, known, inbound.timestamp(), inbound.timestamp());
    problems.addAll(tooOld(normal, inbound));
    inSeconds(inbound.timestamp()).ifPresent(problems::add);
    Optional<ScheduleSnapshot> definition =
        problems.isEmpty() ? Optional.of(ScheduleSnapshot.of(normal)) : Optional.empty();
    definition
        .flatMap(valid -> tooLarge(id, valid, inbound.revision(), inbound.timestamp()))
        .ifPresent(problems::add);
    Optional<ExportedState> imported = imports.read(inbound, problems);
    imported.stream()
        .flatMap(state -> state.getOlder().stream())
        .forEach(older -> older.setSchedule(validation.normalise(older.getSchedule())));
    return problems.isEmpty()
        ? new Reading.Understood(id, event(definition.orElseThrow(), imported, inbound))
        : new Reading.Rejected(id, problems);
  }

  private static Event event(
      ScheduleSnapshot definition, Optional<ExportedState> imported, Inbound inbound) {
    return imported.isPresent()
        ? new Event.Imported(
            definition.schedule(), imported.get(), inbound.revision(), inbound.timestamp())
        : new Event.Defined(definition, inbound.revision(), inbound.timestamp(), Optional.empty());
  }

  /** The problems of a replaced definition that an imported state contains. */
  private List<Problem> problems(ScheduleId id, ExportedRevision older, Instant writtenAt) {
    Schedule schedule = older.getSchedule();
    List<Problem> problems = problems(id, schedule, List.of(), older.getEffectiveAt(), writtenAt);
    if (problems.isEmpty()) {
      tooLarge(id, ScheduleSnapshot.of(schedule), older.getRevision(), older.getEffectiveAt())
          .ifPresent(problems::add);
    }
    return problems;
  }

  /**
   * All problems of a definition, but for the size of its fires.
   *
   * @param schedule normalised
   * @param known problems found while reading it; the result repeats them
   * @param timestamp from which a trigger without an anchor counts
   * @param writtenAt the record's timestamp: calendars that were deleted earlier do not exist
   */
  private List<Problem> problems(
      ScheduleId id, Schedule schedule, List<Problem> known, Instant timestamp, Instant writtenAt) {
    Validation rules =
        owners.of(id).map(owner -> validationOf.getOrDefault(owner, validation)).orElse(validation);
    List<Problem> problems = new ArrayList<>(known);
    Set<String> names =
        Exclusions.namesCalendars(schedule)
            ? calendars.get().names(writtenAt, Instant.MAX)
            : Set.of();
    problems.addAll(rules.problems(id.value(), schedule, known, timestamp, names));
    owners
        .payload(id, Optional.ofNullable(schedule.getPayload()), "payload")
        .ifPresent(problems::add);
    tooLargeToRepeat(id, schedule).ifPresent(problems::add);
    problems.addAll(targets.problems(id, schedule, timestamp));
    if (schedule.getLimit() != null && !channels.limits()) {
      problems.add(
          Problems.of("limit", "limits are off in this scheduler; limits=true turns them on"));
    }
    return problems;
  }

  /** The problem of a timestamp in seconds, which would make a schedule owe all since 1970. */
  private static Optional<Problem> inSeconds(Instant timestamp) {
    return timestamp.isBefore(FIRST_TIMESTAMP)
        ? Optional.of(
            Problems.of(
                "",
                ("the timestamp of the record is %s, before the year 2000; Kafka counts"
                        + " milliseconds, and seconds look like this: write the record again")
                    .formatted(timestamp)))
        : Optional.empty();
  }

  /** A payload that fires once costs what its writer sent; one that repeats, many times that. */
  private Optional<Problem> tooLargeToRepeat(ScheduleId id, Schedule schedule) {
    ByteBuffer payload = schedule.getPayload();
    boolean isWithin =
        payload == null
            || payload.remaining() <= mostRepeated
            || schedule.getTrigger() instanceof OnceTrigger
            || owners.of(id).flatMap(Owner::payloadBytes).isPresent();
    return isWithin
        ? Optional.empty()
        : Optional.of(
            Problems.of(
                "payload",
                ("has %s bytes, more than the %s that a schedule that repeats may send"
                        + " (repeated.payload.bytes); make it smaller or send a reference to it")
                    .formatted(payload.remaining(), mostRepeated)));
  }

  /**
   * The problems that a definition is older than calendars that it names. An imported definition
   * may be: it was valid where it was written.
   */
  private List<Problem> tooOld(Schedule schedule, Inbound inbound) {
    Instant written = inbound.timestamp();
    if (!Exclusions.namesCalendars(schedule)
        || inbound.headers().lastHeader(HeaderNames.IMPORT) != null) {
      return List.of();
    }
    Set<String> since = calendars.get().names(written, Instant.MAX);
    Set<String> then = calendars.get().names(written, written.plus(CLOCKS_DIFFER));
    return Exclusions.calendars(schedule).stream()
        .filter(name -> since.contains(name) && !then.contains(name))
        .map(
            name ->
                new Problem(
                    schedule.getExcept().contains(name) ? "except" : "only",
                    ("calendar \"%s\" was created after the timestamp of this record, %s:"
                            + " write the record again")
                        .formatted(name, written),
                    "[]"))
        .toList();
  }

  /**
   * The problem that a fire would not fit into the topics; empty when every fire does.
   *
   * @param definition valid otherwise
   * @param revision its name
   */
  private Optional<Problem> tooLarge(
      ScheduleId id, ScheduleSnapshot definition, String revision, Instant timestamp) {
    return limit
        .ofDefinition(id, definition, revision)
        .or(
            () ->
                targets.tooLarge(
                    definition.schedule(),
                    limit.fires().largestAtMost(id, definition, revision),
                    () -> limit.fires().largest(id, definition, revision),
                    timestamp));
  }
}
