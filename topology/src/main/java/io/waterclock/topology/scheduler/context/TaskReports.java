package io.waterclock.topology.scheduler.context;

import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.processor.TaskId;

/** Hears how the tasks of this instance fare. Called from the stream threads. */
public interface TaskReports {

  /**
   * The task was assigned; it has not passed its gate.
   *
   * @param standing good until the task is revoked, on this thread
   */
  void assigned(TaskId task, TaskView standing, Instant now);

  /** The task has ticked. */
  void ticked(TaskId task, boolean gateOpen, Instant now);

  /** The task was taken away or closed. */
  void revoked(TaskId task);

  /** Tells each of several, in their order. */
  static TaskReports to(TaskReports... listeners) {
    List<TaskReports> all = List.of(listeners);
    return new TaskReports() {
      @Override
      public void assigned(TaskId task, TaskView standing, Instant now) {
        all.forEach(listener -> listener.assigned(task, standing, now));
      }

      @Override
      public void ticked(TaskId task, boolean gateOpen, Instant now) {
        all.forEach(listener -> listener.ticked(task, gateOpen, now));
      }

      @Override
      public void revoked(TaskId task) {
        all.forEach(listener -> listener.revoked(task));
      }
    };
  }

  /** Hears nothing. */
  static TaskReports none() {
    return to();
  }
}
