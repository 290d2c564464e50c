package io.waterclock.client.worker;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;

/** Passes everything to several listeners, and logs what they throw after the start. */
record GuardedListener(List<WorkerListener> listeners) implements WorkerListener {
  private static final Logger LOG = SafeLogger.of(GuardedListener.class);

  @Override
  public void onOutcome(Fire fire, Outcome outcome) {
    each(listener -> listener.onOutcome(fire, outcome));
  }

  @Override
  public void onUnhandled(Fire fire) {
    each(listener -> listener.onUnhandled(fire));
  }

  @Override
  public void onFailure(Throwable cause) {
    each(listener -> listener.onFailure(cause));
  }

  @Override
  public void onStart(WorkerView worker) {
    listeners.forEach(listener -> listener.onStart(worker));
  }

  @Override
  public void onStatus(WorkerStatus status) {
    each(listener -> listener.onStatus(status));
  }

  @Override
  public void onRetry(Fire fire, int attempt, Throwable failure) {
    each(listener -> listener.onRetry(fire, attempt, failure));
  }

  @Override
  public void onWait(Fire fire, int attempt, Instant until, Throwable failure) {
    each(listener -> listener.onWait(fire, attempt, until, failure));
  }

  @Override
  public void onDeadLetter() {
    each(WorkerListener::onDeadLetter);
  }

  private void each(Consumer<WorkerListener> call) {
    for (WorkerListener listener : listeners) {
      try {
        call.accept(listener);
      } catch (RuntimeException | Error e) {
        LOG.warn("The listener {} has failed", listener, e);
      }
    }
  }
}
