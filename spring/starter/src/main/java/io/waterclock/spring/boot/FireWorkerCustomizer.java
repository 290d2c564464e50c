package io.waterclock.spring.boot;

import io.waterclock.client.worker.FireWorker;

/** A bean that sets what the properties do not: policies of runs, queues with shares of threads. */
@FunctionalInterface
public interface FireWorkerCustomizer {
  /** Called for each worker before it starts, after the properties and the handlers. */
  void customize(FireWorker.Builder worker);
}
