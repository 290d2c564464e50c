package io.waterclock.topology.router;

import org.apache.kafka.streams.processor.TaskId;

/** Hears of the router's tasks in this instance. Called from its stream threads. */
public interface RouterReports {

  /**
   * The task was assigned.
   *
   * @param counts good until the task is revoked, on this thread
   */
  void assigned(TaskId task, RouteCounts counts);

  /** The task was taken away or closed. */
  void revoked(TaskId task);

  /** Hears nothing. */
  static RouterReports none() {
    return new RouterReports() {
      @Override
      public void assigned(TaskId task, RouteCounts counts) {}

      @Override
      public void revoked(TaskId task) {}
    };
  }
}
