package io.waterclock.client.worker;

import java.util.Optional;

/**
 * The state of a worker.
 *
 * @param cause why the worker is not RUNNING, for a person; empty if there is no trouble
 */
public record WorkerStatus(State state, Optional<String> cause) {
  /** The state of a worker. */
  public enum State {
    /**
     * It has not joined its group yet: it connects to the cluster and looks for the topic and the
     * group.
     */
    CONNECTING,
    /** It is a member of its group, and runs fires or waits for new ones. */
    RUNNING,
    /**
     * It was RUNNING, and something that it needs does not work now: the group coordinator has not
     * answered for a while, the schema registry does not answer, or a dead letter cannot be
     * written. It finishes what it can, and continues by itself.
     */
    DEGRADED,
    /** It starts no more fires, and finishes or hands back those that it holds. */
    STOPPING,
    /** It has ended. */
    STOPPED,
    /**
     * It has ended after a failure from which it cannot recover; other workers of its group
     * continue.
     */
    FAILED
  }

  static WorkerStatus of(State state) {
    return new WorkerStatus(state, Optional.empty());
  }

  static WorkerStatus of(State state, String cause) {
    return new WorkerStatus(state, Optional.of(cause));
  }

  /** This status, but DEGRADED if the worker is RUNNING with a problem. */
  WorkerStatus with(Optional<String> problem) {
    return state == State.RUNNING && problem.isPresent()
        ? new WorkerStatus(State.DEGRADED, problem)
        : this;
  }
}
