package io.waterclock.topology.scheduler.admit;

import io.waterclock.definition.MinInterval;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.OwnerLimits.Owner;
import io.waterclock.definition.Validation;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.emit.FireLimit;
import io.waterclock.topology.scheduler.emit.FireRecords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Checks if this scheduler can accept a definition: it is valid and within the limits of its owner,
 * its target is allowed, and its fires can be written. Not thread-safe.
 */
final class DefinitionCheck {
  private final FireRecords fires;
  private final FireLimit limit;
  private final Supplier<Set<String>> calendars;
  private final TargetCheck targets;
  private final OwnerLimits owners;
  private final Validation validation;
  private final Map<Owner, Validation> validationOf = new HashMap<>();

  DefinitionCheck(TaskContext task) {
    Settings settings = task.settings();
    this.fires = task.records().fires();
    this.limit = task.records().limit();
    this.calendars = () -> task.tables().calendars().names();
    this.targets = new TargetCheck(settings.targets(), task.application().targets());
    this.owners = settings.limits().owners();
    this.validation = new Validation(settings.limits().minInterval(), settings.defaultTimezone());
    for (Owner owner : owners.owners()) {
      owner
          .minInterval()
          .map(interval -> new MinInterval(interval, Optional.of(owner.name())))
          .map(interval -> new Validation(interval, settings.defaultTimezone()))
          .ifPresent(own -> validationOf.put(owner, own));
    }
  }

  /** The normal form, in which definitions are compared and stored. */
  Schedule normalise(Schedule schedule) {
    return validation.normalise(schedule);
  }

  /**
   * All problems of a definition.
   *
   * @param schedule normalised
   * @param known problems found while reading it; the result repeats them
   * @param revision its name
   * @param timestamp from which a trigger without an anchor counts
   */
  List<Problem> problems(
      ScheduleId id, Schedule schedule, List<Problem> known, String revision, Instant timestamp) {
    Validation rules =
        owners.of(id).map(owner -> validationOf.getOrDefault(owner, validation)).orElse(validation);
    List<Problem> problems = new ArrayList<>(known);
    problems.addAll(rules.problems(schedule, known, timestamp, calendars.get()));
    owners
        .payload(id, Optional.ofNullable(schedule.getPayload()), "payload")
        .ifPresent(problems::add);
    if (problems.stream().noneMatch(problem -> problem.getField().startsWith("target"))) {
      problems.addAll(targets.problems(id, schedule, timestamp));
    }
    if (problems.isEmpty()) {
      Record<byte[], Object> largest = fires.largest(id, schedule, revision);
      limit
          .ofDefinition(schedule, largest)
          .or(() -> targets.tooLarge(schedule, largest, timestamp))
          .ifPresent(problems::add);
    }
    return problems;
  }
}
