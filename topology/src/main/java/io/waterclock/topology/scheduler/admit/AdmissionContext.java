package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import java.util.function.Consumer;

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
    LastWrites lastWrites) {

  static AdmissionContext of(TaskContext task, Consumer<Effect> effects) {
    AnswerSender answers = new AnswerSender(task.records(), effects);
    DeadLetterSender deadLetters = new DeadLetterSender(task, effects, answers);
    return new AdmissionContext(
        task,
        effects,
        answers,
        deadLetters,
        new RecordGuard(task.application().deaths(), task.partition(), deadLetters),
        new HeldRecords(task, effects),
        new StraysInTransit(),
        new LastWrites(task.stores().strays()));
  }
}
