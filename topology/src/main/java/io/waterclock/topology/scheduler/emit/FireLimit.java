package io.waterclock.topology.scheduler.emit;

import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.context.Settings;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Checks whether a fire would be too large to write, while a rejection can still answer the
 * request: a fire that is too large when it is due faults its schedule. Not thread-safe.
 */
public record FireLimit(Settings.Limits limits, FireRecords fires) {
  private static final String SMALLER = "; make the payload smaller or send a reference to it";

  /** Reports a definition whose fires could be too large. Writes the largest fire if in doubt. */
  public Optional<Problem> ofDefinition(
      ScheduleId id, ScheduleSnapshot definition, String revision) {
    Schedule schedule = definition.schedule();
    OptionalInt atMost = fires.largestAtMost(id, definition, revision);
    if (atMost.isPresent() && atMost.getAsInt() <= limits.maxFireBytes(schedule)) {
      return Optional.empty();
    }
    return tooLarge(
        schedule,
        FireRecords.size(fires.largest(id, definition, revision)),
        "payload",
        "a fire of this schedule could take ",
        SMALLER);
  }

  /** Reports a command whose fire would be too large. */
  public Optional<Problem> ofOrder(ScheduleState state, ManualFire fire) {
    return tooLarge(
        state.current().schedule(),
        fires.size(state.id(), state.current(), fire),
        "trigger.payload",
        "the fire would take ",
        SMALLER);
  }

  /**
   * Reports a waiting fire that would be too large under the current definition, of those that come
   * with an import.
   */
  public Optional<Problem> ofWaiting(ScheduleState state) {
    return state.commanded().fires().added().stream()
        .flatMap(fire -> waiting(state, fire).stream())
        .findFirst();
  }

  private Optional<Problem> waiting(ScheduleState state, ManualFire fire) {
    return tooLarge(
        state.current().schedule(),
        fires.size(state.id(), state.current(), fire),
        "",
        "with this definition the fire that the command "
            + fire.commandId()
            + " has ordered, and that is still to come, would take ",
        "; make the definition smaller, its headers for example, or write it again when that fire"
            + " is out");
  }

  /**
   * @param what the subject and verb of the message
   */
  private Optional<Problem> tooLarge(
      Schedule schedule, int size, String field, String what, String remedy) {
    int limit = limits.maxFireBytes(schedule);
    if (size <= limit) {
      return Optional.empty();
    }
    String reserve =
        limit < limits.maxFireBytes()
            ? " and, should it not reach its target, kept as a dead letter with the reason"
            : "";
    String message =
        what + size + " bytes, more than the " + limit + " that can be written" + reserve + remedy;
    return Optional.of(Problems.of(field, message));
  }
}
