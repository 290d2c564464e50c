package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.chaos.cluster.Interference.Cut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between one scheduler and the brokers: a port for each broker, which brokers advertise to
 * this scheduler. Thread-safe.
 */
public final class Proxy implements AutoCloseable {
  private final List<ServerSocket> servers = new ArrayList<>();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile Interference interference = new Interference.None();

  /** Returns the port for one more broker, which listens at another. */
  int open(int brokerPort) {
    try {
      ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
      servers.add(server);
      Thread thread = new Thread(() -> accept(server, brokerPort), "proxy");
      thread.setDaemon(true);
      thread.start();
      return server.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket server, int brokerPort) {
    while (!server.isClosed()) {
      try {
        connect(server.accept(), brokerPort);
      } catch (IOException e) {
        // closed, or this one client is gone
      }
    }
  }

  private void connect(Socket client, int brokerPort) throws IOException {
    Socket broker = new Socket();
    try {
      if (interference instanceof Cut) {
        throw new IOException("cut");
      }
      broker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), brokerPort), 2_000);
      client.setTcpNoDelay(true);
      broker.setTcpNoDelay(true);
    } catch (IOException e) {
      client.close();
      broker.close();
      throw e;
    }
    ProxiedConnection[] connection = new ProxiedConnection[1];
    connection[0] =
        new ProxiedConnection(
            client, broker, () -> interference, () -> connections.remove(connection[0]));
    connections.add(connection[0]);
    connection[0].start();
  }

  /** Does this from now on, in place of what it did. */
  public void interfere(Interference next) {
    interference = next;
    if (next instanceof Cut) {
      connections.forEach(ProxiedConnection::close);
    }
  }

  @Override
  public void close() {
    for (ServerSocket server : servers) {
      try {
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    connections.forEach(ProxiedConnection::close);
  }
}
