package io.waterclock.runtime.router;

import org.apache.kafka.streams.processor.TaskId;

/** Receives events of the router's tasks in this instance, on its stream threads. */
public interface RouterReports {

  /**
   * The task was assigned.
   *
   * @param counts valid until the task is revoked, on this thread
   */
  void assigned(TaskId task, RouteCounts counts);

  void revoked(TaskId task);
}
