package io.waterclock.runtime.intake;

import org.apache.kafka.streams.processor.TaskId;

/** Receives events of the intake's tasks in this instance, on its stream threads. */
public interface IntakeReports {

  /**
   * The task was assigned.
   *
   * @param counts valid until the task is revoked, on this thread
   */
  void assigned(TaskId task, IntakeCounts counts);

  void revoked(TaskId task);
}
