package io.waterclock.client.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.waterclock.schemas.Encoding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;

/** A schema registry in this JVM that answers or does not, as a test says. It holds one schema. */
final class FakeRegistry implements AutoCloseable {
  private static final int ID = 7;

  private final HttpServer server;
  private final Map<String, String> pages = new ConcurrentHashMap<>();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean away;

  FakeRegistry(Schema schema) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String text = schema.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    pages.put("/schemas/ids/" + ID, "{\"schema\":\"" + text + "\"}");
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Writes as a scheduler does that has asked this registry for ids. */
  Encoding encoding() {
    return Encoding.registered(schema -> ID);
  }

  void goAway() {
    away = true;
  }

  void comeBack() {
    away = false;
  }

  /** How many questions it has not answered. */
  int refused() {
    return refused.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String page = pages.get(exchange.getRequestURI().getPath());
      if (away || page == null) {
        refused.incrementAndGet();
        exchange.sendResponseHeaders(away ? 503 : 404, -1);
        return;
      }
      byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
