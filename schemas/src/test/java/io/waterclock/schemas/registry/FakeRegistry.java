package io.waterclock.schemas.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;

/** A registry in this JVM that does what a test says. */
final class FakeRegistry implements AutoCloseable {
  private static final String PREFIX = "/api";

  /** One question. */
  record Asked(String method, String path, Optional<String> authorization) {}

  private record Page(int status, String body) {}

  private final HttpServer server;
  private final ObjectMapper json = new ObjectMapper();
  private final Map<Integer, String> bodies = new LinkedHashMap<>();
  private final Map<String, List<Integer>> subjects = new LinkedHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Function<Asked, Optional<Page>> trouble = asked -> Optional.empty();
  final List<Asked> asked = new CopyOnWriteArrayList<>();

  private FakeRegistry(HttpServer server) {
    this.server = server;
    server.setExecutor(
        task -> {
          Thread thread = new Thread(task, "fake-registry");
          thread.setDaemon(true);
          thread.start();
        });
    server.createContext(PREFIX, this::handle);
    server.start();
  }

  static FakeRegistry start() throws IOException {
    return new FakeRegistry(HttpServer.create(anyPort(), 0));
  }

  static FakeRegistry start(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return new FakeRegistry(server);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  String url() {
    return (server instanceof HttpsServer ? "https" : "http") + "://" + address();
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort() + PREFIX;
  }

  /** Holds a schema under an id. */
  synchronized void put(int id, Schema schema) {
    bodies.put(id, json.createObjectNode().put("schema", schema.toString()).toString());
  }

  /** Answers a question for an id with this. */
  synchronized void put(int id, String body) {
    bodies.put(id, body);
  }

  synchronized void put(String subject, int id) {
    subjects.computeIfAbsent(subject, unknown -> new ArrayList<>()).add(id);
  }

  /** Answers everything so from now on. */
  void answersAll(int status, String body) {
    trouble = any -> Optional.of(new Page(status, body));
  }

  /** Answers questions for a path so from now on. */
  void answers(String path, int status, String body) {
    trouble =
        question ->
            question.path().equals(path) ? Optional.of(new Page(status, body)) : Optional.empty();
  }

  /** Answers nothing until it is closed. */
  void hangs() {
    trouble =
        question -> {
          try {
            closed.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return Optional.empty();
        };
  }

  /** Answers once {@code until} is open. */
  void answersAfter(CountDownLatch until) {
    trouble =
        question -> {
          try {
            until.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return Optional.empty();
        };
  }

  void recovers() {
    trouble = any -> Optional.empty();
  }

  long asked(String path) {
    return asked.stream().filter(each -> each.path().equals(path)).count();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Asked question =
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getRawPath().substring(PREFIX.length()),
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")));
      asked.add(question);
      Page page = trouble.apply(question).orElse(null);
      if (page == null) {
        page = answer(question, new String(body, StandardCharsets.UTF_8));
      }
      byte[] bytes = page.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(page.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private synchronized Page answer(Asked question, String body) throws IOException {
    String[] parts = question.path().substring(1).split("/");
    if (parts[0].equals("schemas")) {
      String found = bodies.get(Integer.parseInt(parts[2]));
      return found == null ? error(404, 40403, "Schema not found") : new Page(200, found);
    }
    String subject = URLDecoder.decode(parts[1], StandardCharsets.UTF_8);
    List<Integer> versions = subjects.getOrDefault(subject, List.of());
    if (question.method().equals("GET")) {
      if (versions.isEmpty()) {
        return error(404, 40401, "Subject not found");
      }
      int version = parts[3].equals("latest") ? versions.size() : Integer.parseInt(parts[3]);
      int id = versions.get(version - 1);
      ObjectNode found = (ObjectNode) json.readTree(bodies.get(id));
      return new Page(200, found.put("id", id).put("subject", subject).toString());
    }
    return post(subject, json.readTree(body), parts.length == 3);
  }

  private Page post(String subject, JsonNode body, boolean registers) throws IOException {
    Schema schema = new Schema.Parser().parse(body.path("schema").asText());
    for (Map.Entry<Integer, String> known : bodies.entrySet()) {
      String text = json.readTree(known.getValue()).path("schema").asText();
      if (text.equals(schema.toString())) {
        if (registers) {
          put(subject, known.getKey());
        }
        return new Page(200, "{\"id\":" + known.getKey() + "}");
      }
    }
    if (!registers) {
      return error(404, 40403, "Schema not found");
    }
    int id = bodies.keySet().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    put(id, schema);
    put(subject, id);
    return new Page(200, "{\"id\":" + id + "}");
  }

  private static Page error(int status, int code, String message) {
    return new Page(status, "{\"error_code\":" + code + ",\"message\":\"" + message + "\"}");
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
