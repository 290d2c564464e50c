package io.waterclock.cli.serve;

import io.waterclock.schemas.SafeLogger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;

/**
 * Closes what runs, the last thing opened first, when the process is told to end: by SIGTERM, by
 * Ctrl-C, or because the command is done. Told to end while it was running, the process exits with
 * 0, as that is no failure; otherwise with what the command says. Thread-safe.
 */
final class Shutdown {
  private static final Logger LOG = SafeLogger.of(Shutdown.class);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final CountDownLatch told = new CountDownLatch(1);
  private volatile boolean running;
  private boolean closed;

  /** Listens for the end of the process from now on. */
  static Shutdown listening() {
    Shutdown shutdown = new Shutdown();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  shutdown.told.countDown();
                  if (shutdown.closeAll() && shutdown.running) {
                    Runtime.getRuntime().halt(0);
                  }
                },
                "waterclock-shutdown"));
    return shutdown;
  }

  /** From now on an end from outside is no failure. */
  void running() {
    running = true;
  }

  /** Has {@code resource} closed at the end. */
  synchronized <T extends AutoCloseable> T onExit(T resource) {
    open.push(resource);
    return resource;
  }

  /** True once the process was told to end. */
  boolean isUnderWay() {
    return told.getCount() == 0;
  }

  /**
   * Closes everything, once.
   *
   * @return false when that had been done before
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
