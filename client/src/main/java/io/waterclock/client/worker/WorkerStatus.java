package io.waterclock.client.worker;

import java.util.Optional;

/**
 * The state of a worker.
 *
 * @param cause why the worker is not RUNNING, for a person; empty if there is no trouble
 */
public record WorkerStatus(FireWorker.State state, Optional<String> cause) {
  static WorkerStatus of(FireWorker.State state) {
    return new WorkerStatus(state, Optional.empty());
  }

  static WorkerStatus of(FireWorker.State state, String cause) {
    return new WorkerStatus(state, Optional.of(cause));
  }

  /** This status, but DEGRADED if the worker is RUNNING with a problem. */
  WorkerStatus with(Optional<String> problem) {
    return state == FireWorker.State.RUNNING && problem.isPresent()
        ? new WorkerStatus(FireWorker.State.DEGRADED, problem)
        : this;
  }
}
