package io.waterclock.bench.chaos.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.waterclock.bench.run.Await;
import io.waterclock.judge.RegistryLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A schema registry in this JVM: it gives schemas by their ids, and remembers when. A fault can
 * take it away. Thread-safe; one thread at a time takes it away and brings it back.
 */
public final class RegistryServer implements AutoCloseable {
  private static final String PATH = "/schemas/ids/";
  private static final Duration LOOK = Duration.ofMillis(20);

  /** What becomes of requests. */
  public enum Mode {
    ANSWERING,
    /** Nothing listens. */
    REFUSING,
    /** 503. */
    FAILING,
    /** Requests are taken, and not answered before the mode changes. */
    SILENT
  }

  private final List<String> schemas = new CopyOnWriteArrayList<>();
  private final Map<Integer, RegistryLog.Answer> answers = new ConcurrentHashMap<>();
  private final List<RegistryLog.Outage> outages = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Mode mode = Mode.ANSWERING;
  private HttpServer server;
  private long awaySinceMs;

  public RegistryServer() {
    this.server = listen(0);
  }

  private HttpServer listen(int port) {
    try {
      HttpServer made =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      made.setExecutor(threads);
      made.createContext("/", this::handle);
      made.start();
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Its id. A producer knows it while the registry is away, as it has cached it. */
  public synchronized int add(String schema) {
    schemas.add(schema);
    return schemas.size();
  }

  /** What it did so far; an outage counts when it is over. */
  public RegistryLog log() {
    return new RegistryLog(Map.copyOf(answers), List.copyOf(outages));
  }

  /**
   * Takes it away.
   *
   * @param how not answering
   */
  public void goAway(Mode how) {
    awaySinceMs = Await.now().toEpochMilli();
    mode = how;
    if (how == Mode.REFUSING) {
      server.stop(0);
    }
  }

  public void comeBack() {
    boolean isStopped = mode == Mode.REFUSING;
    outages.add(new RegistryLog.Outage(awaySinceMs, Await.now().toEpochMilli()));
    mode = Mode.ANSWERING;
    if (isStopped) {
      server = listen(server.getAddress().getPort());
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      switch (mode) {
        case ANSWERING -> answer(exchange);
        case FAILING -> exchange.sendResponseHeaders(503, -1);
        default -> {
          while (mode == Mode.SILENT) {
            Await.pass(LOOK);
          }
        }
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    int id = path.startsWith(PATH) ? Integer.parseInt(path.substring(PATH.length())) : 0;
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (id < 1 || id > schemas.size()) {
      respond(exchange, 404, body.put("error_code", 40_403).put("message", "Schema not found"));
      return;
    }
    answers.merge(id, RegistryLog.Answer.at(Await.now().toEpochMilli()), RegistryLog.Answer::and);
    respond(exchange, 200, body.put("schema", schemas.get(id - 1)));
    answers.merge(id, RegistryLog.Answer.at(Await.now().toEpochMilli()), RegistryLog.Answer::and);
  }

  private static void respond(HttpExchange exchange, int status, ObjectNode json)
      throws IOException {
    byte[] body = json.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
