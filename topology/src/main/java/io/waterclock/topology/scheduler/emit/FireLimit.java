package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.model.ManualFire;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Finds out whether a fire would be larger than what can be written, while there is still somebody
 * to tell: one that turns out to be too large when it is due parks its schedule. Not thread-safe.
 */
public final class FireLimit {
  private static final String SMALLER = "; make the payload smaller or send a reference to it";

  private final Settings.Limits limits;
  private final FireRecords fires;

  public FireLimit(Settings.Limits limits, FireRecords fires) {
    this.limits = limits;
    this.fires = fires;
  }

  /**
   * That a definition could fire what is too large, if it could.
   *
   * @param largest {@link FireRecords#largest} of it
   */
  public Optional<Problem> ofDefinition(Schedule schedule, Record<byte[], Object> largest) {
    return tooLarge(
        schedule,
        FireRecords.size(largest),
        "payload",
        "a fire of this schedule could take ",
        SMALLER);
  }

  /** That a fire which a command orders would be too large, if it would. */
  public Optional<Problem> ofOrder(ScheduleState state, ManualFire fire) {
    return tooLarge(
        state.current().schedule(),
        fires.size(state.id(), state.current(), fire),
        "trigger.payload",
        "the fire would take ",
        SMALLER);
  }

  /**
   * That a fire which was ordered before would be too large under what is in force now, if one
   * would. Encodes each of them, which are all in memory anyway.
   */
  public Optional<Problem> ofWaiting(ScheduleState state) {
    return state.orders().fires().stream()
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
   * @param what would take so much
   * @param remedy what would be right
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
    return Optional.of(Problem.newBuilder().setField(field).setMessage(message).build());
  }
}
