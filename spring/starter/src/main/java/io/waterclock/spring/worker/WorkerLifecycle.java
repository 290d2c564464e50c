package io.waterclock.spring.worker;

import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.WorkerListener;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.threads.DaemonThreads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the worker with the application and drains it before the application stops. A worker that
 * has failed, for example because the scheduler has not created the topics yet, is started again
 * after a pause, as long as the application runs. Thread-safe.
 */
public final class WorkerLifecycle implements SmartLifecycle {
  /** Starts after the web server, with the listeners of Spring for Apache Kafka; stops before. */
  public static final int PHASE = Integer.MAX_VALUE - 100;

  private static final Logger LOG = SafeLogger.of(WorkerLifecycle.class);

  /**
   * The times of a worker.
   *
   * @param drain how long running handlers may go on when the application stops
   * @param restart the pause before a failed worker is started again
   */
  public record Times(Duration drain, Duration restart) {}

  private final Supplier<FireWorker.Builder> builders;
  private final BooleanSupplier hasHandlers;
  private final CompletableFuture<Void> topics;
  private final Times times;
  private @Nullable ScheduledExecutorService restarts;
  private @Nullable FireWorker worker;
  private @Nullable Throwable failure;

  /**
   * @param builders creates the builder of one worker
   * @param hasHandlers whether there is anything to run
   * @param topics complete when the topics exist, as far as this application can know; with an
   *     exception if it will not learn that
   */
  public WorkerLifecycle(
      Supplier<FireWorker.Builder> builders,
      BooleanSupplier hasHandlers,
      CompletableFuture<Void> topics,
      Times times) {
    this.builders = builders;
    this.hasHandlers = hasHandlers;
    this.topics = topics;
    this.times = times;
  }

  /** The current worker; empty before the first start and after a stop. */
  public synchronized Optional<FireWorker> worker() {
    return Optional.ofNullable(worker);
  }

  /** Why the latest worker has failed, until it is started again. */
  public synchronized Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** A wrong setting stops the start of the application, also if the worker starts later. */
  @Override
  public synchronized void start() {
    if (restarts != null || !hasHandlers.getAsBoolean()) {
      return;
    }
    var unusedBuilder = builders.get();
    restarts =
        Executors.newSingleThreadScheduledExecutor(
            DaemonThreads.named("waterclock-worker-restart"));
    if (topics.isDone() && !topics.isCompletedExceptionally()) {
      launchFirst();
    } else {
      var unused =
          topics.whenComplete(
              (done, cause) -> {
                if (cause == null) {
                  launchLater();
                } else {
                  withoutTopics(cause);
                }
              });
    }
  }

  private synchronized void withoutTopics(Throwable cause) {
    failure = cause;
  }

  /** What this throws stops the start of the application: nothing is left to start again. */
  private void launchFirst() {
    try {
      launch(new Launch());
    } catch (RuntimeException | Error e) {
      var unused = end();
      throw e;
    }
  }

  private synchronized void launch(Launch launch) {
    if (restarts != null) {
      worker = builders.get().listener(launch).start();
      failure = null;
    }
  }

  /**
   * One start of a worker. It fails once: a worker whose start throws also ends, and its thread
   * reports that to its listeners, before or after.
   */
  private final class Launch implements WorkerListener {
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    @Override
    public void onFailure(Throwable cause) {
      if (hasFailed.compareAndSet(false, true)) {
        failed(cause);
      }
    }
  }

  /** Its thread would keep an {@link Error} to itself. */
  private void launchLater() {
    Launch launch = new Launch();
    try {
      launch(launch);
    } catch (RuntimeException | Error e) {
      launch.onFailure(e);
    }
  }

  private synchronized void failed(Throwable cause) {
    failure = cause;
    if (restarts != null) {
      LOG.warn("The worker is started again in {}: {}", times.restart(), cause.getMessage());
      var unused =
          restarts.schedule(this::launchLater, times.restart().toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void stop() {
    end().ifPresent(running -> running.close(times.drain()));
  }

  @Override
  public void stop(Runnable callback) {
    Optional<FireWorker> last = end();
    if (last.isEmpty()) {
      callback.run();
      return;
    }
    new Thread(
            () -> {
              try {
                last.get().close(times.drain());
              } finally {
                callback.run();
              }
            },
            "waterclock-worker-stop")
        .start();
  }

  private synchronized Optional<FireWorker> end() {
    if (restarts != null) {
      restarts.shutdownNow();
    }
    restarts = null;
    Optional<FireWorker> last = Optional.ofNullable(worker);
    worker = null;
    return last;
  }

  @Override
  public synchronized boolean isRunning() {
    return restarts != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
