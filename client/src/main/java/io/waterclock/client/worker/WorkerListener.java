package io.waterclock.client.worker;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;

/**
 * Observes a worker, for metrics, alerts and tests. The worker's threads call it, several at a
 * time; it must be quick. The worker logs and ignores its exceptions.
 */
public interface WorkerListener {
  /** A fire has an outcome, whether or not the worker reports it to the scheduler. */
  default void onOutcome(Fire fire, Outcome outcome) {}

  /** The worker has read a fire that no handler takes; {@link FireWorker#unhandled} counts them. */
  default void onUnhandled(Fire fire) {}

  /** The worker has ended after a failure from which it cannot recover. */
  default void onFailure(Throwable cause) {}
}
