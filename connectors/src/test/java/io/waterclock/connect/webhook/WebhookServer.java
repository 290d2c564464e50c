package io.waterclock.connect.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A webhook that answers as a test configures, and remembers its requests in the order of arrival.
 */
public final class WebhookServer implements AutoCloseable {
  /** What it was sent. */
  public record Received(String path, Map<String, String> headers, String body) {
    /** Names of headers are in lower case. */
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }

    /** An attribute of the event, in whichever mode it came. */
    public String attribute(String name) {
      return headers.containsKey("ce-" + name)
          ? header("ce-" + name)
          : document().path(name).asText();
    }

    private JsonNode document() {
      try {
        return new JsonMapper().readTree(body);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(body, e);
      }
    }
  }

  /** What it says. */
  public record Reply(int code, Map<String, String> headers, String body) {
    public static Reply of(int code) {
      return new Reply(code, Map.of(), "");
    }
  }

  public final List<Received> received = new CopyOnWriteArrayList<>();

  /** Those of them that it has answered with 2xx. */
  public final List<Received> taken = new CopyOnWriteArrayList<>();

  /** The most requests that it has had at a time. */
  public final AtomicInteger most = new AtomicInteger();

  private final AtomicInteger running = new AtomicInteger();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Function<Received, Reply> script = request -> Reply.of(204);

  private WebhookServer(HttpServer server) {
    this.server = server;
  }

  /** On a free port. */
  public static WebhookServer start() {
    return start(0);
  }

  /** On a port; 0 for a free one. */
  public static WebhookServer start(int port) {
    try {
      HttpServer http =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      WebhookServer webhook = new WebhookServer(http);
      http.createContext("/", webhook::answer);
      http.setExecutor(webhook.threads);
      http.start();
      return webhook;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Says how it answers from now on. */
  public WebhookServer answering(Function<Received, Reply> newScript) {
    script = newScript;
    return this;
  }

  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> headers =
        exchange.getRequestHeaders().entrySet().stream()
            .collect(
                Collectors.toMap(
                    entry -> entry.getKey().toLowerCase(Locale.ROOT),
                    entry -> String.join(",", entry.getValue())));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Received request = new Received(exchange.getRequestURI().toString(), headers, body);
    received.add(request);
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    Reply reply;
    try {
      reply = script.apply(request);
    } finally {
      running.decrementAndGet();
    }
    reply.headers().forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
    byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.code(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
    if (reply.code() < 300) {
      taken.add(request);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
