package io.waterclock.runtime.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Bounds the connections to a server: their number, and the time of each from the first to the last
 * byte.
 *
 * <p>Idea: a connection carries one request. When one connection too many opens, the oldest is
 * closed: an honest client is served within milliseconds, so idle connections are the oldest.
 * Refusing the new connection instead would let idle ones lock out all clients. Thread-safe.
 */
final class ConnectionBounds implements Connection.Listener {
  private final int most;
  private final Duration longest;
  private final Scheduler scheduler;

  /** In the order of their opening. */
  private final Map<Connection, Scheduler.Task> open = new LinkedHashMap<>();

  /**
   * @param most connections at a time
   * @param longest the longest life of a connection
   */
  ConnectionBounds(int most, Duration longest, Scheduler scheduler) {
    this.most = most;
    this.longest = longest;
    this.scheduler = scheduler;
  }

  @Override
  public void onOpened(Connection connection) {
    Optional<Connection> oldest;
    synchronized (open) {
      oldest = open.size() < most ? Optional.empty() : open.keySet().stream().findFirst();
      oldest.ifPresent(this::forget);
      open.put(
          connection,
          scheduler.schedule(
              () -> connection.getEndPoint().close(), longest.toMillis(), TimeUnit.MILLISECONDS));
    }
    oldest.ifPresent(closed -> closed.getEndPoint().close());
  }

  @Override
  public void onClosed(Connection connection) {
    synchronized (open) {
      forget(connection);
    }
  }

  private void forget(Connection connection) {
    Optional.ofNullable(open.remove(connection)).ifPresent(Scheduler.Task::cancel);
  }
}
