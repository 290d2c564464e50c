package io.waterclock.spring.worker;

import io.waterclock.client.worker.WorkerListener;

/** Creates a listener for each worker, where one cannot serve several. */
@FunctionalInterface
public interface WorkerListenerFactory {
  /** A listener for the next worker. */
  WorkerListener create();
}
