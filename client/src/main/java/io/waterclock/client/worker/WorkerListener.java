package io.waterclock.client.worker;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;

/**
 * Watches a worker: for metrics, alerts and tests. Called by the worker's own threads, several at a
 * time; must be quick. What it throws is logged and ignored.
 */
public interface WorkerListener {
  /** Something has become of a fire, whether or not it is reported to the scheduler. */
  default void onOutcome(Fire fire, Outcome outcome) {}

  /** A fire was read that no handler takes; {@link FireWorker#unhandled} counts them. */
  default void onUnhandled(Fire fire) {}

  /** The worker has ended for good, by a failure that it cannot mend. */
  default void onFailure(Throwable cause) {}
}
