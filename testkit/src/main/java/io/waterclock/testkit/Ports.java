package io.waterclock.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Ports on the loopback address. */
public final class Ports {
  private Ports() {}

  /**
   * {@code wanted} if it can be listened on, any free port if it is 0.
   *
   * @throws EmbeddedKafkaException if the port is taken
   */
  public static int free(int wanted) {
    // the system draws from tens of thousands, so hardly anybody gets it until the broker binds it
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // as the broker does: a connection in TIME_WAIT is no obstacle
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new EmbeddedKafkaException(
          "Port "
              + wanted
              + " on 127.0.0.1 cannot be used ("
              + e.getMessage()
              + "); choose another one, or 0 for any free port.",
          e);
    }
  }

  /** Any free port but one that is about to be taken. */
  static int freeBut(int taken) {
    int port = free(0);
    while (port == taken) {
      port = free(0);
    }
    return port;
  }
}
