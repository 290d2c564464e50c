package io.waterclock.client.schedules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes connections, and never answers. */
final class SilentBroker implements AutoCloseable {
  private final ServerSocket socket;
  private final List<Socket> taken = new CopyOnWriteArrayList<>();

  SilentBroker() throws IOException {
    socket = new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1"));
    Thread thread = new Thread(this::take);
    thread.setDaemon(true);
    thread.start();
  }

  private void take() {
    try {
      while (!socket.isClosed()) {
        taken.add(socket.accept());
      }
    } catch (IOException e) {
      if (!socket.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  String address() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  /** How many connections it has taken so far. */
  int taken() {
    return taken.size();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket each : taken) {
      each.close();
    }
  }
}
