package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.apply.TaskContext;

/** The collaborators that the classes of admission share. For the task's stream thread. */
record AdmissionContext(
    TaskContext task,
    AnswerSender answers,
    DeadLetterSender deadLetters,
    RecordGuard guard,
    HeldRecords heldRecords,
    StraysInTransit straysInTransit,
    LastWrites lastWrites) {

  static AdmissionContext of(TaskContext task) {
    AnswerSender answers = new AnswerSender(task);
    DeadLetterSender deadLetters = new DeadLetterSender(task, answers);
    return new AdmissionContext(
        task,
        answers,
        deadLetters,
        new RecordGuard(task.application().deaths(), task.partition(), deadLetters),
        new HeldRecords(task),
        new StraysInTransit(),
        new LastWrites(task.stores().strays()));
  }
}
