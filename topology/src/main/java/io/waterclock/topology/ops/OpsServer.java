package io.waterclock.topology.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves over HTTP what operators look at: {@code /ready} and {@code /live}, 200 or 503, with the
 * reasons as lines of text, and {@code /metrics} in Prometheus' text format. Thread-safe.
 */
public final class OpsServer implements AutoCloseable {
  /** More than one, so that a slow scrape holds no question about health up. */
  private static final int THREADS = 3;

  private static final String TEXT = "text/plain; charset=utf-8";

  private record Page(int status, String contentType, String text) {
    static Page of(int status, String line) {
      return new Page(status, TEXT, line + "\n");
    }

    static Page of(HealthBoard.Verdict verdict) {
      return verdict.isOk() ? of(200, "ok") : of(503, String.join("\n", verdict.problems()));
    }
  }

  private final HttpServer server;
  private final ExecutorService executor;

  private OpsServer(HttpServer server, ExecutorService executor) {
    this.server = server;
    this.executor = executor;
  }

  /**
   * @param port 0 for any free one
   * @throws IOException if the port is taken
   */
  public static OpsServer start(String host, int port, HealthBoard board, Metrics metrics)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), port), 0);
    ExecutorService executor =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "waterclock-ops");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(executor);
    Map<String, Supplier<Page>> pages =
        Map.of(
            "/ready", () -> Page.of(board.ready()),
            "/live", () -> Page.of(board.live()),
            "/metrics", () -> new Page(200, Metrics.CONTENT_TYPE, metrics.scrape()));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            send(exchange, answer(exchange, pages));
          }
        });
    server.start();
    return new OpsServer(server, executor);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdown();
  }

  private static Page answer(HttpExchange exchange, Map<String, Supplier<Page>> pages) {
    Supplier<Page> page = pages.get(exchange.getRequestURI().getPath());
    if (page == null) {
      return Page.of(404, "no such page; try /ready, /live or /metrics");
    }
    if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
      return Page.of(405, "only GET and HEAD are answered");
    }
    return page.get();
  }

  private static void send(HttpExchange exchange, Page page) throws IOException {
    byte[] body = page.text().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", page.contentType());
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(page.status(), -1);
      return;
    }
    exchange.sendResponseHeaders(page.status(), body.length);
    exchange.getResponseBody().write(body);
  }
}
