package io.waterclock.cli.serve;

import io.waterclock.schemas.log.SafeLogger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;

/**
 * Closes resources in the reverse order of their opening when the process ends: on SIGTERM, on
 * Ctrl-C, or when the command is done. A signal to a running process is no failure: it exits with
 * 0. Otherwise the exit code is that of the command. Thread-safe.
 */
final class Shutdown {
  private static final Logger LOG = SafeLogger.of(Shutdown.class);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final CountDownLatch signal = new CountDownLatch(1);
  private volatile boolean running;
  private boolean closed;

  /** Closes the resources at the end of the process. */
  static Shutdown listening() {
    Shutdown shutdown = new Shutdown();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  shutdown.signal.countDown();
                  if (shutdown.closeAll() && shutdown.running) {
                    Runtime.getRuntime().halt(0);
                  }
                },
                "waterclock-shutdown"));
    return shutdown;
  }

  /** From now on a signal is no failure. */
  void running() {
    running = true;
  }

  /** Closes {@code resource} at the end. */
  synchronized <T extends AutoCloseable> T onExit(T resource) {
    open.push(resource);
    return resource;
  }

  /** True once the process has begun to end. */
  boolean isUnderWay() {
    return signal.getCount() == 0;
  }

  /**
   * Closes everything, once.
   *
   * @return false if everything was closed before
   */
  synchronized boolean closeAll() {
    if (closed) {
      return false;
    }
    closed = true;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        LOG.warn("Not closed cleanly", e);
      }
    }
    return true;
  }
}
