package io.waterclock.console.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;

/**
 * Bounds the connections that are open, so that many of one sender keep no one else out. When there
 * are too many, one closes: of the address with the most, that which has had nothing done for it
 * for the longest time, such as one whose header does not end, or whose request waits to be
 * refused. Thread-safe; an opening beyond the bound costs a look at all.
 *
 * <p>It also spaces them: the thread that accepts connections waits here. Jetty's own limits switch
 * accepting off and on, and a few such switches in a millisecond close the server's socket.
 */
final class Connections implements Connection.Listener, SelectorManager.AcceptListener {
  /** A browser opens about six for a page. */
  private static final long BETWEEN_NS = Duration.ofMillis(5).toNanos();

  /** So many may come at once. */
  private static final int BURST = 100;

  private final int most;
  private long nextNs;

  /** In the order in which they began to wait; those that are held keep their place. */
  private final Map<Connection, Place> open = new HashMap<>();

  private long turns;

  private record Place(InetAddress from, long turn, boolean isHeld) {}

  /**
   * @param most that stay open
   */
  Connections(int most) {
    this.most = most;
    this.nextNs = System.nanoTime();
  }

  /** Called by one thread. */
  @Override
  public void onAccepting(SelectableChannel channel) {
    long now = System.nanoTime();
    nextNs = Math.max(nextNs + BETWEEN_NS, now - BURST * BETWEEN_NS);
    LockSupport.parkNanos(nextNs - now);
  }

  /** The address at the other end. */
  static InetAddress from(Connection connection) {
    return connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress known
        ? known.getAddress()
        : InetAddress.getLoopbackAddress();
  }

  @Override
  public void onOpened(Connection connection) {
    Optional<Connection> one;
    synchronized (this) {
      open.put(connection, new Place(from(connection), turns++, false));
      one = open.size() > most ? Optional.of(leastMissed(connection)) : Optional.empty();
      one.ifPresent(open::remove);
    }
    one.ifPresent(Connection::close);
  }

  /** The new one itself if all others are held. */
  private Connection leastMissed(Connection fresh) {
    Map<InetAddress, Integer> ofOne = new HashMap<>();
    open.values().forEach(place -> ofOne.merge(place.from(), 1, Integer::sum));
    return open.entrySet().stream()
        .filter(entry -> !entry.getValue().isHeld())
        .max(
            Comparator.comparing(
                    (Map.Entry<Connection, Place> entry) ->
                        ofOne.getOrDefault(entry.getValue().from(), 0))
                .thenComparing(entry -> -entry.getValue().turn()))
        .map(Map.Entry::getKey)
        .orElse(fresh);
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    open.remove(connection);
  }

  /** Keeps a connection open while something is done for it. */
  synchronized void hold(Connection connection) {
    open.computeIfPresent(connection, (c, place) -> new Place(place.from(), place.turn(), true));
  }

  /** Ends {@link #hold}: from now on it waits. */
  synchronized void release(Connection connection) {
    open.computeIfPresent(connection, (c, place) -> new Place(place.from(), turns++, false));
  }
}
