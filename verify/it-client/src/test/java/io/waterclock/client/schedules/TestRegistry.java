package io.waterclock.client.schedules;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** As much of a schema registry as clients need that register what they write. */
public final class TestRegistry implements AutoCloseable {
  private final ObjectMapper json = new ObjectMapper();
  private final List<String> schemas = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  private TestRegistry(HttpServer server) {
    this.server = server;
    server.createContext("/", this::answer);
    server.start();
  }

  public static TestRegistry start() throws IOException {
    return new TestRegistry(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** An id is a schema's place in the list, counted from one. */
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Map<String, ?> page =
        exchange.getRequestMethod().equals("POST")
            ? Map.of("id", idOf(json.readTree(exchange.getRequestBody()).path("schema").asText()))
            : Map.of(
                "schema",
                schemas.get(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)) - 1));
    byte[] body = json.writeValueAsString(page).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private synchronized int idOf(String schema) {
    if (!schemas.contains(schema)) {
      schemas.add(schema);
    }
    return schemas.indexOf(schema) + 1;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
