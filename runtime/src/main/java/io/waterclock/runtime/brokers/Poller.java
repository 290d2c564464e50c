package io.waterclock.runtime.brokers;

import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Runs a poll of the brokers at an interval on one daemon thread, which no other poll can block.
 *
 * <p>The interval begins when a poll ends, so polls of slow brokers do not pile up. A poll that
 * throws is logged and repeated after the interval. Thread-safe.
 */
public final class Poller implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(Poller.class);

  private final String name;
  private final Runnable poll;
  private final ScheduledExecutorService thread;

  /**
   * Creates a poller; its thread starts with {@link #start}.
   *
   * @param name of the thread
   */
  public Poller(String name, Runnable poll) {
    this.name = name;
    this.poll = poll;
    this.thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(name));
  }

  /**
   * Polls after a delay, and then after each interval.
   *
   * @throws RejectedExecutionException if the poller is closed
   */
  public void start(Duration delay, Duration interval) {
    var unused =
        thread.scheduleWithFixedDelay(
            this::run, delay.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void run() {
    try {
      poll.run();
    } catch (RuntimeException | Error e) { // an executor would end its polls without a word
      LOG.warn("{} failed and is repeated", name, e);
    }
  }

  /** Interrupts a running poll and starts no other. Does not wait. */
  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** Waits after {@link #close} until the poll has ended; false if it has not ended in time. */
  public boolean awaitEnd(Duration patience) throws InterruptedException {
    return thread.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
