package io.waterclock.bench.http;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Answers every request with two bytes: the least that a server can do, as a baseline. */
public final class IdleServer {
  private static final int THREADS = 12;

  private final HttpServer server;

  public IdleServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] body = {'o', 'k'};
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }
}
