package io.waterclock.topology.stream;

import java.time.Instant;
import org.apache.kafka.streams.processor.TaskId;

/** Hears how the tasks of this instance fare. Called from the stream threads. */
public interface TaskReports {

  /** The task was assigned; it has not passed its gate. */
  void assigned(TaskId task, Instant now);

  /** The task has ticked. */
  void ticked(TaskId task, boolean gateOpen, Instant now);

  /** The task was taken away or closed. */
  void revoked(TaskId task);

  /** Hears nothing. */
  static TaskReports none() {
    return new TaskReports() {
      @Override
      public void assigned(TaskId task, Instant now) {}

      @Override
      public void ticked(TaskId task, boolean gateOpen, Instant now) {}

      @Override
      public void revoked(TaskId task) {}
    };
  }
}
