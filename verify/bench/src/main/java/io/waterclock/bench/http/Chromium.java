package io.waterclock.bench.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Chromium without a window, through its own protocol for tools: opens a page and says when it was
 * painted. Not thread-safe.
 */
public final class Chromium implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Notes when the first element that fits is there. */
  private static final String WATCH =
      "(selector => { const look = () => { if (document.querySelector(selector)) {"
          + " requestAnimationFrame(() => { window.shownAt ??= performance.now(); }); }"
          + " else { requestAnimationFrame(look); } }; look(); })";

  private final Process process;
  private final WebSocket socket;
  private final AtomicLong calls = new AtomicLong();
  private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong received = new AtomicLong();

  /**
   * When a page was painted.
   *
   * @param firstMs anything at all, in milliseconds from the beginning of its navigation
   * @param shownMs what it was opened for
   * @param bytes that were transferred by then, headers included
   */
  public record Paint(double firstMs, double shownMs, long bytes) {}

  private Chromium(Path dir) throws IOException {
    process =
        new ProcessBuilder(
                PROGRAM.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--remote-debugging-port=0",
                "--user-data-dir=" + dir,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("chromium.log").toFile())
            .start();
    Path portFile = dir.resolve("DevToolsActivePort");
    try {
      Await.until("Chromium starts", BOUND, () -> lines(portFile).size() == 2);
      List<String> lines = lines(portFile);
      socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .buildAsync(
                  URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1)), new Receiver())
              .join();
    } catch (RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Whether it is installed. */
  public static boolean isThere() {
    return Files.isExecutable(PROGRAM);
  }

  /**
   * Starts it.
   *
   * @param dir of its data
   */
  public static Chromium start(Path dir) {
    try {
      return new Chromium(Files.createDirectories(dir));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens an address in a profile without a cache, and waits until an element is shown. */
  public Paint open(String address, String selector) {
    String context =
        call("", "Target.createBrowserContext", Map.of()).path("browserContextId").asText();
    String target =
        call("", "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
            .path("targetId")
            .asText();
    String session =
        call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .path("sessionId")
            .asText();
    call(session, "Page.enable", Map.of());
    call(session, "Network.enable", Map.of());
    String watch = WATCH + "(" + JSON.valueToTree(selector) + ")";
    call(session, "Page.addScriptToEvaluateOnNewDocument", Map.of("source", watch));
    received.set(0);
    call(session, "Page.navigate", Map.of("url", address));
    Await.until(
        selector + " is shown", BOUND, () -> !evaluate(session, "window.shownAt").isMissingNode());
    Paint paint =
        new Paint(
            evaluate(
                    session,
                    "performance.getEntriesByType('paint').map(e => e.startTime).sort((a, b) => a - b)[0]")
                .asDouble(),
            evaluate(session, "window.shownAt").asDouble(),
            received.get());
    call("", "Target.disposeBrowserContext", Map.of("browserContextId", context));
    return paint;
  }

  private JsonNode evaluate(String session, String expression) {
    return call(session, "Runtime.evaluate", Map.of("expression", expression))
        .path("result")
        .path("value");
  }

  private JsonNode call(String session, String method, Map<String, ?> parameters) {
    long id = calls.incrementAndGet();
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    socket.sendText(message.toString(), true).join();
    return answer.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
  }

  private final class Receiver implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        take(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }
  }

  private void take(String text) {
    JsonNode message;
    try {
      message = JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    CompletableFuture<JsonNode> answer = waiting.remove(message.path("id").asLong());
    if (answer != null && message.has("error")) {
      answer.completeExceptionally(new BenchException("Chromium: " + message.path("error")));
    } else if (answer != null) {
      answer.complete(message.path("result"));
    }
    String method = message.path("method").asText();
    if (method.equals("Network.dataReceived") || method.equals("Network.responseReceived")) {
      JsonNode parameters = message.path("params");
      received.addAndGet(
          parameters.path("encodedDataLength").asLong()
              + parameters.path("response").path("encodedDataLength").asLong());
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.destroy();
    process
        .onExit()
        .orTimeout(10, TimeUnit.SECONDS)
        .exceptionally(late -> process.destroyForcibly())
        .join();
  }
}
