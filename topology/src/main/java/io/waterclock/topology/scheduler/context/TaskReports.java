package io.waterclock.topology.scheduler.context;

import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.processor.TaskId;

/** Receives events of the tasks of this instance, on the stream threads. */
public interface TaskReports {

  /**
   * The task was assigned; its gate is still closed.
   *
   * @param view valid until the task is revoked, on this thread
   */
  void assigned(TaskId task, TaskView view, Instant now);

  void ticked(TaskId task, Reading reading, Instant now);

  /** The task was taken away or closed. */
  void revoked(TaskId task);

  /** Passes each event to several listeners, in their order. */
  static TaskReports to(TaskReports... listeners) {
    List<TaskReports> all = List.of(listeners);
    return new TaskReports() {
      @Override
      public void assigned(TaskId task, TaskView view, Instant now) {
        all.forEach(listener -> listener.assigned(task, view, now));
      }

      @Override
      public void ticked(TaskId task, Reading reading, Instant now) {
        all.forEach(listener -> listener.ticked(task, reading, now));
      }

      @Override
      public void revoked(TaskId task) {
        all.forEach(listener -> listener.revoked(task));
      }
    };
  }

  /** Ignores all events. */
  static TaskReports none() {
    return to();
  }
}
