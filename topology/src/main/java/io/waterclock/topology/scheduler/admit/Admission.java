package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Admits the input records of a partition: definitions, commands, outcomes and strays. Fires
 * nothing. For the task's stream thread.
 */
public final class Admission {
  private final String schedules;
  private final String straysTopic;
  private final RecordGuard guard;
  private final HeldRecords heldRecords;
  private final StraysInTransit straysInTransit;
  private final AdmittedOffsets offsets;
  private final AdmitCommand commands;
  private final AdmitRecord records;
  private final Strays strays;
  private final ForgetCommands forgetCommands;
  private final ForgetRemoved forgetRemoved;

  /**
   * @param admitted receives the schedule id of each definition or delete at home
   */
  public Admission(TaskContext task, Gate gate, Instant now, Consumer<ScheduleId> admitted) {
    AdmissionContext context = AdmissionContext.of(task);
    Settings settings = task.settings();
    this.schedules = settings.topics().schedules();
    this.straysTopic = settings.topics().strays();
    this.guard = context.guard();
    this.heldRecords = context.heldRecords();
    this.straysInTransit = context.straysInTransit();
    this.offsets = new AdmittedOffsets(schedules, task.stores().strays(), task.applier());
    this.commands = new AdmitCommand(context, new WaitingCommands(context, gate, now));
    this.records =
        new AdmitRecord(
            context, new AdmitDefinition(context), commands, new AdmitOutcome(context), admitted);
    this.strays = new Strays(context, records);
    this.forgetCommands = new ForgetCommands(task);
    this.forgetRemoved = ForgetRemoved.of(task, offsets::save);
    task.application().deaths().assigned();
  }

  /** Admits a record, or sends it to its home partition, or sets it aside. */
  public void admit(Inbound inbound, Instant now) {
    guard.run(
        inbound,
        now,
        () -> {
          admitUnguarded(inbound, now);
          return true;
        });
  }

  private void admitUnguarded(Inbound inbound, Instant now) {
    String topic = inbound.topic();
    if (topic.equals(straysTopic)) {
      strays.take(inbound, now);
    } else if (topic.equals(schedules) && !offsets.takesFirst(inbound)) {
      return;
    } else if (strays.isStray(inbound)) {
      strays.send(inbound, now);
    } else {
      records.take(inbound, now);
    }
  }

  /**
   * Admits held records whose schema is available now, and commands that have waited long enough.
   */
  public void retry(Instant now) {
    records.retry(now);
    commands.retry(now);
  }

  /** True once this task has read at home the strays that it sent there before it decides. */
  public boolean isSettled() {
    return straysInTransit.isSettled();
  }

  /** Forgets executed commands and removed schedules, a slice at a time. */
  public void forget(Instant now) {
    forgetCommands.run(now);
    forgetRemoved.run(now);
  }

  /** Stores the admitted offsets of the schedules topic. */
  public void save() {
    offsets.save();
  }

  /** How many records wait for their schema. */
  public int held() {
    return heldRecords.size();
  }
}
