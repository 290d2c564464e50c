package io.waterclock.topology.scheduler.count;

import org.apache.kafka.streams.processor.TaskId;

/** Receives the counts of an application's tasks in this instance, on its stream threads. */
public interface CountReports<C> {
  /**
   * The task was assigned.
   *
   * @param counts valid until the task is revoked, on this thread
   */
  void assigned(TaskId task, C counts);

  void revoked(TaskId task);
}
