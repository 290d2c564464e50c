package io.waterclock.topology.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves health over HTTP: {@code /ready} and {@code /live}, 200 or 503, with the reasons as lines
 * of text. Thread-safe.
 */
public final class HealthServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService executor;

  private HealthServer(HttpServer server, ExecutorService executor) {
    this.server = server;
    this.executor = executor;
  }

  /**
   * @param port 0 for any free one
   * @throws IOException if the port is taken
   */
  public static HealthServer start(String host, int port, HealthBoard board) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), port), 0);
    ExecutorService executor =
        Executors.newFixedThreadPool(
            2,
            task -> {
              Thread thread = new Thread(task, "waterclock-health");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(executor);
    server.createContext("/ready", exchange -> answer(exchange, "/ready", board::ready));
    server.createContext("/live", exchange -> answer(exchange, "/live", board::live));
    server.start();
    return new HealthServer(server, executor);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdown();
  }

  private static void answer(
      HttpExchange exchange, String path, Supplier<HealthBoard.Verdict> question)
      throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals(path)) {
        send(exchange, 404, List.of("no such page; try /ready or /live"));
        return;
      }
      if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
        send(exchange, 405, List.of("only GET and HEAD are answered"));
        return;
      }
      HealthBoard.Verdict verdict = question.get();
      send(
          exchange,
          verdict.isOk() ? 200 : 503,
          verdict.isOk() ? List.of("ok") : verdict.problems());
    }
  }

  private static void send(HttpExchange exchange, int status, List<String> lines)
      throws IOException {
    byte[] body = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
