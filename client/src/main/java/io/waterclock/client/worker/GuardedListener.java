package io.waterclock.client.worker;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import org.slf4j.Logger;

/** Logs the exceptions of a listener. */
record GuardedListener(WorkerListener listener) implements WorkerListener {
  private static final Logger LOG = SafeLogger.of(GuardedListener.class);

  @Override
  public void onOutcome(Fire fire, Outcome outcome) {
    guarded(() -> listener.onOutcome(fire, outcome), outcome.getFireKey());
  }

  @Override
  public void onUnhandled(Fire fire) {
    guarded(() -> listener.onUnhandled(fire), fire.getScheduleId());
  }

  @Override
  public void onFailure(Throwable cause) {
    guarded(() -> listener.onFailure(cause), "the end of the worker");
  }

  private static void guarded(Runnable call, String at) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.warn("The listener has failed at {}", at, e);
    }
  }
}
