package io.waterclock.console.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;

/**
 * Bounds the connections that are open, so that many of one sender keep no one else out. When there
 * are too many, one closes: of the address with the most, that which has had nothing done for it
 * for the longest time, such as one whose header does not end, or whose request waits to be
 * refused. Those whose requests are not answered yet stay open: half of all at most, so that new
 * ones find a place. Thread-safe; a request, and an opening beyond the bound, cost a look at all.
 *
 * <p>It also spaces them: the thread that accepts connections waits here. Jetty's own limits switch
 * accepting off and on, and a few such switches in a millisecond close the server's socket.
 */
final class Connections implements Connection.Listener, SelectorManager.AcceptListener {
  /** A browser opens about six for a page. */
  private static final long BETWEEN_NS = Duration.ofMillis(5).toNanos();

  /** So many may come at once. */
  private static final int BURST = 100;

  /** So that one person who waits for the scheduler leaves room for others. */
  private static final int MOST_HELD_OF_ONE = 32;

  private final int most;
  private long nextNs;

  /** In the order in which they began to wait; those that are held keep their place. */
  private final Map<Connection, Place> open = new HashMap<>();

  private long turns;

  /**
   * A connection.
   *
   * @param isHeld whether something is done for it
   * @param who has sent the request that is not answered yet; empty if there is none that counts
   */
  private record Place(InetAddress from, long turn, boolean isHeld, Optional<String> who) {
    Place held(Optional<String> by) {
      return new Place(from, turn, true, by);
    }

    Place waiting(long newTurn) {
      return new Place(from, newTurn, false, Optional.empty());
    }
  }

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
      open.put(connection, new Place(from(connection), turns++, false, Optional.empty()));
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
    open.computeIfPresent(connection, (c, place) -> place.held(Optional.empty()));
  }

  /**
   * Keeps a connection open until its request is answered, which may take as long as the scheduler
   * does.
   *
   * @param who sent the request
   * @return false if too many requests of this one, or of all, are not answered yet
   */
  synchronized boolean hold(Connection connection, String who) {
    List<String> held = open.values().stream().flatMap(place -> place.who().stream()).toList();
    if (held.size() >= most / 2 || held.stream().filter(who::equals).count() >= MOST_HELD_OF_ONE) {
      return false;
    }
    open.computeIfPresent(connection, (c, place) -> place.held(Optional.of(who)));
    return true;
  }

  /** Ends a hold: from now on it waits. */
  synchronized void release(Connection connection) {
    open.computeIfPresent(connection, (c, place) -> place.waiting(turns++));
  }
}
