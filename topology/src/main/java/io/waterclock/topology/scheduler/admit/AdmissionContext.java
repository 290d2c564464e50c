package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The collaborators that the classes of admission share. For the task's stream thread.
 *
 * @param effects receives what a record changes, in order
 */
record AdmissionContext(
    TaskContext task,
    Consumer<Effect> effects,
    AnswerSender answers,
    DeadLetterSender deadLetters,
    RecordGuard guard,
    HeldRecords heldRecords,
    StraysInTransit straysInTransit,
    Intake intake,
    LastWrites lastWrites,
    UnaryOperator<Instant> nowFor) {

  /**
   * @param nowFor the time at which a record is admitted, from its timestamp
   * @param forgottenThrough inclusive: up to here the topic may have lost deletes unread
   */
  static AdmissionContext of(
      TaskContext task,
      Consumer<Effect> effects,
      UnaryOperator<Instant> nowFor,
      Optional<Instant> forgottenThrough) {
    AnswerSender answers = new AnswerSender(task.records(), effects);
    DeadLetterSender deadLetters = new DeadLetterSender(task, effects, answers);
    StraysInTransit straysInTransit = new StraysInTransit();
    return new AdmissionContext(
        task,
        effects,
        answers,
        deadLetters,
        new RecordGuard(task.application().deaths(), task.partition(), deadLetters),
        new HeldRecords(task, effects),
        straysInTransit,
        new Intake(task, effects, straysInTransit),
        new LastWrites(task.stores().strays(), forgottenThrough),
        nowFor);
  }

  /** The time of the partition, by which occurrences are due: at most that of a record. */
  Instant clock() {
    return nowFor.apply(Instant.MIN);
  }
}
