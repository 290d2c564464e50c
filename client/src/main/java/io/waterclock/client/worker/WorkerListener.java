package io.waterclock.client.worker;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import java.time.Instant;

/**
 * Observes a worker, for metrics, alerts and tests. The worker's threads call it, several at a
 * time; it must be quick. The worker logs and ignores what it throws.
 */
public interface WorkerListener {
  /** A worker as its listener sees it. Thread-safe. */
  interface WorkerView {
    /** The group of the service. */
    String groupId();

    /** The state and its cause, of the same moment. */
    WorkerStatus status();

    /**
     * How many records of the fires topic the worker has not finished, of its partitions and about
     * a second ago: fires that it has not read, that wait in it, or that run.
     */
    long lag();

    /** How many fires wait in the worker for a thread. */
    int backlog();
  }

  /** A fire has an outcome, whether or not the worker reports it to the scheduler. */
  default void onOutcome(Fire fire, Outcome outcome) {}

  /** The worker has read a fire that no handler takes; {@link FireWorker#unhandled} counts them. */
  default void onUnhandled(Fire fire) {}

  /**
   * The worker begins to connect. Called once, by the thread that starts it; an exception ends the
   * worker, and {@link FireWorker.Builder#start} throws it.
   */
  default void onStart(WorkerView worker) {}

  /** The worker is in another state, or in the same one for another cause. */
  default void onStatus(WorkerStatus status) {}

  /**
   * An attempt has failed, and the worker retries the fire.
   *
   * @param attempt the number of the failed attempt, from 1
   */
  default void onRetry(Fire fire, int attempt, Throwable failure) {}

  /**
   * The attempts of a run have failed, and the fire waits in Kafka for its group to run it again.
   *
   * @param attempt the number of the failed attempt, from 1
   * @param until when it returns
   */
  default void onWait(Fire fire, int attempt, Instant until, Throwable failure) {}

  /** A fire, or a record that is not one, was written to the dead-letter topic. */
  default void onDeadLetter() {}

  /** The worker has ended after a failure from which it cannot recover. */
  default void onFailure(Throwable cause) {}
}
