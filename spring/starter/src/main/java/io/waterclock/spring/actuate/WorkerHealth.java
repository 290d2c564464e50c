package io.waterclock.spring.actuate;

import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.WorkerStatus;
import io.waterclock.spring.actuate.PartHealth.Status;
import io.waterclock.spring.worker.WorkerLifecycle;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether the application runs fires. Thread-safe; asks nothing of the brokers. */
public record WorkerHealth(WorkerLifecycle lifecycle) implements Supplier<PartHealth> {
  @Override
  public PartHealth get() {
    Optional<Throwable> failure = lifecycle.failure();
    if (failure.isPresent()) {
      return PartHealth.of(
          Status.DOWN, Map.of("state", "FAILED"), PartHealth.reason(failure.get()));
    }
    return lifecycle
        .worker()
        .map(WorkerHealth::of)
        .orElseGet(
            () ->
                lifecycle.isRunning()
                    ? PartHealth.of(
                        Status.OUT_OF_SERVICE,
                        Map.of(),
                        Optional.of("the worker waits for the scheduler to create the topics"))
                    : PartHealth.of(
                        Status.UP, Map.of(), Optional.of("the application has no handlers")));
  }

  private static PartHealth of(FireWorker worker) {
    WorkerStatus now = worker.status();
    Status status =
        switch (now.state()) {
          case RUNNING -> Status.UP;
          case CONNECTING, STOPPING, STOPPED -> Status.OUT_OF_SERVICE;
          case DEGRADED, FAILED -> Status.DOWN;
        };
    return PartHealth.of(
        status,
        Map.of("state", now.state().name(), "lag", worker.lag(), "backlog", worker.backlog()),
        now.cause());
  }
}
