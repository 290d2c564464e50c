package io.waterclock.spring.scheduler;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.context.SmartLifecycle;

/**
 * Runs a scheduler in this JVM. It starts on a thread of its own: brokers that do not answer delay
 * no start of the application, and it is started again after each failure. An {@link Error}, such
 * as a class of Kafka that is missing, ends it. Thread-safe.
 */
public final class EmbeddedScheduler implements SmartLifecycle {
  private static final Logger LOG = SafeLogger.of(EmbeddedScheduler.class);
  private static final int PHASE = Integer.MAX_VALUE - 300;
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final WaterclockConfig config;
  private final Function<WaterclockConfig, Waterclock> starter;
  private final CompletableFuture<Void> topics = new CompletableFuture<>();
  private @Nullable Life life;

  /** One start of the application. */
  private final class Life {
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "waterclock-scheduler");
    private final AtomicReference<@Nullable Waterclock> scheduler = new AtomicReference<>();
    private volatile @Nullable Throwable failure;

    private void run() {
      try {
        do {
          runOnce();
        } while (!ending.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
      } catch (InterruptedException e) {
        LOG.debug("Stopped", e);
      } catch (RuntimeException | Error e) {
        ended(e);
        throw e;
      } finally {
        close();
      }
    }

    private void runOnce() throws InterruptedException {
      try {
        Waterclock started = starter.apply(config);
        scheduler.set(started);
        failure = null;
        topics.complete(null);
        if (ending.getCount() > 0) {
          started.await().ifPresent(this::failed);
        }
        close();
      } catch (RuntimeException e) {
        failed(e);
        close();
      }
    }

    private void failed(Throwable cause) {
      failure = cause;
      if (ending.getCount() > 0) {
        LOG.error("The scheduler is started again in {}: {}", PAUSE, cause.getMessage(), cause);
      }
    }

    private void ended(Throwable cause) {
      failure = cause;
      LOG.error("The scheduler has ended, and is not started again: {}", cause.toString(), cause);
      topics.completeExceptionally(cause);
    }

    private void end() {
      ending.countDown();
      if (!close()) {
        thread.interrupt();
      }
    }

    /** Closes the scheduler, once: only one of several callers gets it. */
    private boolean close() {
      Waterclock running = scheduler.getAndSet(null);
      if (running == null) {
        return false;
      }
      running.close();
      return true;
    }
  }

  public EmbeddedScheduler(WaterclockConfig config) {
    this(config, Waterclock::start);
  }

  EmbeddedScheduler(WaterclockConfig config, Function<WaterclockConfig, Waterclock> starter) {
    this.config = config;
    this.starter = starter;
  }

  public WaterclockConfig config() {
    return config;
  }

  /**
   * Complete when the scheduler has created the topics, or found them; with an exception if it has
   * ended before, and is not started again.
   */
  public CompletableFuture<Void> topics() {
    return topics;
  }

  /** The scheduler, once it has started. */
  public synchronized Optional<Waterclock> scheduler() {
    return Optional.ofNullable(life).flatMap(now -> Optional.ofNullable(now.scheduler.get()));
  }

  /** Why the latest start has failed, until the next one succeeds, or why the scheduler ended. */
  public synchronized Optional<Throwable> failure() {
    return Optional.ofNullable(life).flatMap(now -> Optional.ofNullable(now.failure));
  }

  @Override
  public synchronized void start() {
    if (life == null) {
      life = new Life();
      life.thread.start();
    }
  }

  @Override
  public void stop() {
    Optional<Life> last;
    synchronized (this) {
      last = Optional.ofNullable(life);
      life = null;
    }
    last.ifPresent(Life::end);
  }

  @Override
  public synchronized boolean isRunning() {
    return life != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
