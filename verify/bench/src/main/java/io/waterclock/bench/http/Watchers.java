package io.waterclock.bench.http;

import io.waterclock.bench.run.Await;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Watch a console as browsers do, without drawing: each follows the server-sent events, and loads
 * what the first screen needs every five seconds.
 */
public final class Watchers {
  private static final Duration RELOADED = Duration.ofSeconds(5);

  /** How many events and answers came. */
  public record Came(long events, long answers) implements Serializable {}

  /** Watch for a while. */
  public Came watch(int port, int count, Duration length) throws IOException, InterruptedException {
    URI console = URI.create("http://127.0.0.1:" + port);
    long endNs = System.nanoTime() + length.toNanos();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    LongAdder events = new LongAdder();
    LongAdder answers = new LongAdder();
    for (int i = 0; i < count; i++) {
      Stream<String> lines =
          client.send(get(console, "/api/v1/events"), HttpResponse.BodyHandlers.ofLines()).body();
      Thread follower =
          new Thread(
              () ->
                  lines
                      .takeWhile(line -> System.nanoTime() < endNs)
                      .filter(line -> line.startsWith("data: "))
                      .forEach(line -> events.increment()));
      follower.setDaemon(true);
      follower.start();
    }
    while (System.nanoTime() < endNs) {
      for (int i = 0; i < count; i++) {
        for (String path : List.of("/", "/app.js", "/api/v1/session", "/api/v1/overview")) {
          client.send(get(console, path), HttpResponse.BodyHandlers.ofByteArray());
          answers.increment();
        }
        Await.pass(RELOADED.dividedBy(count));
      }
    }
    return new Came(events.sum(), answers.sum());
  }

  private static HttpRequest get(URI console, String path) {
    return HttpRequest.newBuilder(console.resolve(path)).build();
  }
}
