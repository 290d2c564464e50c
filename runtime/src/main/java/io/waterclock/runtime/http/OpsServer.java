package io.waterclock.runtime.http;

import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.schemas.threads.DaemonThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.URIUtil;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Serves operators over HTTP: {@code /ready} and {@code /live}, 200 or 503, with the reasons as
 * lines of text, {@code /metrics} in Prometheus' text format, and {@code /partitions} and {@code
 * /schedules/ID} as JSON. {@code POST /watchdog} starts a watchdog pass; no other request changes
 * anything. Thread-safe.
 *
 * <p>No client can block the answers to another. No thread waits for bytes, so an idle connection
 * costs no thread; {@link ConnectionBounds} bounds the number and the time of connections. The
 * server answers the two health probes at once, and all other requests on separate threads, so that
 * a slow scrape does not delay a probe.
 */
public final class OpsServer implements AutoCloseable {
  private static final String SCHEDULES = "/schedules/";

  /** Each connection carries one request. */
  private static final int MOST_CONNECTIONS = 64;

  /** From the first byte of a request to the last of its answer. */
  private static final Duration LONGEST_EXCHANGE = Duration.ofSeconds(10);

  /** Threads for pages that wait for tasks. */
  private static final int SLOW_THREADS = 2;

  private static final int MOST_WAITING = 32;

  private static final int HEADER_BYTES = 8 * 1024;

  private final Server server;
  private final ServerConnector connector;
  private final ExecutorService slow;

  private OpsServer(Server server, ServerConnector connector, ExecutorService slow) {
    this.server = server;
    this.connector = connector;
    this.slow = slow;
  }

  /**
   * Binds the address; the server answers nothing yet.
   *
   * @param port 0 for any free one
   * @throws IOException if the port is taken
   */
  public static OpsServer bind(String host, int port) throws IOException {
    return bind(host, port, LONGEST_EXCHANGE);
  }

  /**
   * @param longestExchange after which a connection is closed
   */
  static OpsServer bind(String host, int port, Duration longestExchange) throws IOException {
    QueuedThreadPool threads = new QueuedThreadPool(8, 2);
    threads.setName("waterclock-ops");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setPersistentConnectionsEnabled(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    // an id may contain characters that are ambiguous in a path
    http.setUriCompliance(UriCompliance.UNSAFE);
    ServerConnector connector = new ServerConnector(server, 0, 1, new HttpConnectionFactory(http));
    connector.setHost(InetAddress.getByName(host).getHostAddress());
    connector.setPort(port);
    connector.setIdleTimeout(longestExchange.toMillis());
    connector.addEventListener(
        new ConnectionBounds(MOST_CONNECTIONS, longestExchange, connector.getScheduler()));
    server.addConnector(connector);
    connector.open();
    ThreadPoolExecutor slow =
        new ThreadPoolExecutor(
            SLOW_THREADS,
            SLOW_THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MOST_WAITING),
            DaemonThreads.named("waterclock-ops-pages"));
    slow.allowCoreThreadTimeOut(true);
    return new OpsServer(server, connector, slow);
  }

  /**
   * Starts to answer.
   *
   * @param hosts names that requests may use, beside {@code localhost} and IP addresses
   */
  public void serve(HealthBoard board, Metrics metrics, Queries queries, Collection<String> hosts) {
    Map<String, Supplier<Page>> probes =
        Map.of(
            "GET /ready", () -> health(board.ready()),
            "GET /live", () -> health(board.live()));
    Map<String, Supplier<Page>> pages =
        Map.of(
            "GET /metrics", () -> new Page(200, Metrics.CONTENT_TYPE, metrics.scrape()),
            "GET /partitions", queries::partitions,
            "POST /watchdog", queries::requestPasses);
    Pages all = new Pages(KnownHosts.of(hosts), probes, pages, queries, slow);
    server.setHandler(
        new Handler.Abstract.NonBlocking() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            all.answer(request, response, callback);
            return true;
          }
        });
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("health and metrics cannot be served", e);
    }
  }

  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the server for health and metrics does not stop", e);
    } finally {
      connector.close(); // if serve was not called
      slow.shutdownNow();
    }
  }

  private static Page health(HealthBoard.Verdict verdict) {
    return verdict.isOk()
        ? Page.text(200, "ok")
        : Page.text(503, String.join("\n", verdict.problems()));
  }

  private record Pages(
      KnownHosts hosts,
      Map<String, Supplier<Page>> probes,
      Map<String, Supplier<Page>> pages,
      Queries queries,
      Executor slow) {

    void answer(Request request, Response response, Callback callback) {
      Optional<Page> refusal = refusal(request);
      String asked = request.getMethod();
      String method = asked.equals("HEAD") ? "GET" : asked;
      String path = URIUtil.decodePath(request.getHttpURI().getPath());
      String page = method + " " + path;
      if (refusal.isPresent()) {
        send(refusal.get(), response, callback);
      } else if (probes.containsKey(page)) {
        send(probes.get(page).get(), response, callback);
      } else if (pages.containsKey(page)) {
        later(pages.get(page), response, callback);
      } else if (page.startsWith("GET " + SCHEDULES)) {
        later(() -> queries.schedule(path.substring(SCHEDULES.length())), response, callback);
      } else {
        send(absent(path, response), response, callback);
      }
    }

    /** Refuses requests of foreign web pages, which a browser marks with their host and origin. */
    private Optional<Page> refusal(Request request) {
      String host = request.getHeaders().get(HttpHeader.HOST);
      if (host == null || !hosts.knows(host)) {
        return Optional.of(
            Page.problem(
                421,
                "Not the name of this instance",
                (host == null ? "The request has no Host" : "This instance does not know the Host")
                    + "; use an IP address, localhost or application.server, or add the name to"
                    + " health.hosts."));
      }
      List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
      boolean isOwn =
          origins.size() <= 1 && origins.stream().allMatch(origin -> isOf(origin, host));
      return isOwn || !request.getMethod().equals("POST")
          ? Optional.empty()
          : Optional.of(
              Page.problem(
                  403,
                  "Another origin",
                  "Web pages of other origins cannot change anything here; use curl or waterclock"
                      + " doctor --watchdog."));
    }

    private static boolean isOf(String origin, String host) {
      return Stream.of("http://", "https://")
          .anyMatch(scheme -> origin.equalsIgnoreCase(scheme + host));
    }

    private Page absent(String path, Response response) {
      if (path.startsWith(SCHEDULES)) {
        return wrongMethod(response, "GET");
      }
      return Stream.of("GET ", "POST ")
          .filter(other -> pages.containsKey(other + path) || probes.containsKey(other + path))
          .map(String::strip)
          .findFirst()
          .map(other -> wrongMethod(response, other))
          .orElseGet(
              () ->
                  Page.problem(
                      404,
                      "No such page",
                      "Try /ready, /live, /metrics, /partitions or /schedules/ID."));
    }

    private static Page wrongMethod(Response response, String right) {
      response.getHeaders().put(HttpHeader.ALLOW, right);
      return Page.problem(405, "Method not allowed", "This page answers " + right + " only.");
    }

    private void later(Supplier<Page> page, Response response, Callback callback) {
      try {
        slow.execute(
            () -> {
              try {
                send(page.get(), response, callback);
              } catch (RuntimeException e) {
                callback.failed(e);
              }
            });
      } catch (RejectedExecutionException e) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
        send(
            Page.problem(
                503, "Too many requests", "The queue of requests is full; ask again in a moment."),
            response,
            callback);
      }
    }

    /**
     * Does not wait for the client: the rest of an answer is kept until the connection's time is
     * over.
     */
    private static void send(Page page, Response response, Callback callback) {
      byte[] body = page.text().getBytes(StandardCharsets.UTF_8);
      response.setStatus(page.status());
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, page.contentType());
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
      response.write(true, ByteBuffer.wrap(body), callback);
    }
  }
}
