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
 * reasons as lines of text, {@code /metrics} in Prometheus' text format, and {@code /partitions}
 * and {@code /schedules/ID} as JSON. {@code POST /walk} asks the watchdog to come by now; nothing
 * else that is asked for changes anything. Thread-safe.
 */
public final class OpsServer implements AutoCloseable {
  private static final String SCHEDULES = "/schedules/";

  /** More than one, so that a slow scrape holds no question about health up. */
  private static final int THREADS = 3;

  private final HttpServer server;
  private final ExecutorService executor;

  private OpsServer(HttpServer server, ExecutorService executor) {
    this.server = server;
    this.executor = executor;
  }

  /**
   * Takes an address; nothing is answered yet.
   *
   * @param port 0 for any free one
   * @throws IOException if the port is taken
   */
  public static OpsServer bind(String host, int port) throws IOException {
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
    return new OpsServer(server, executor);
  }

  /** Begins to answer. */
  public void serve(HealthBoard board, Metrics metrics, Queries queries) {
    Map<String, Supplier<Page>> pages =
        Map.of(
            "GET /ready", () -> health(board.ready()),
            "GET /live", () -> health(board.live()),
            "GET /metrics", () -> new Page(200, Metrics.CONTENT_TYPE, metrics.scrape()),
            "GET /partitions", queries::partitions,
            "POST /walk", queries::walk);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            send(exchange, answer(exchange, pages, queries));
          }
        });
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdown();
  }

  private static Page health(HealthBoard.Verdict verdict) {
    return verdict.isOk()
        ? Page.text(200, "ok")
        : Page.text(503, String.join("\n", verdict.problems()));
  }

  private static Page answer(
      HttpExchange exchange, Map<String, Supplier<Page>> pages, Queries queries) {
    String asked = exchange.getRequestMethod();
    String method = asked.equals("HEAD") ? "GET" : asked;
    String path = exchange.getRequestURI().getPath();
    Supplier<Page> page = pages.get(method + " " + path);
    if (page != null) {
      return page.get();
    }
    if (path.startsWith(SCHEDULES)) {
      return method.equals("GET")
          ? queries.schedule(path.substring(SCHEDULES.length()))
          : wrongMethod(exchange, "GET");
    }
    return List.of("GET", "POST").stream()
        .filter(other -> pages.containsKey(other + " " + path))
        .findFirst()
        .map(other -> wrongMethod(exchange, other))
        .orElseGet(
            () ->
                Page.problem(
                    404,
                    "No such page",
                    "Try /ready, /live, /metrics, /partitions or /schedules/ID."));
  }

  private static Page wrongMethod(HttpExchange exchange, String right) {
    exchange.getResponseHeaders().set("Allow", right);
    return Page.problem(405, "Method not allowed", "This page answers " + right + " only.");
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
