package io.waterclock.bench.http;

import io.waterclock.bench.rig.ChildProtocol;
import io.waterclock.bench.run.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Watches a console as browsers do, without drawing: each watcher follows the server-sent events,
 * and loads what the first screen needs every five seconds. Answers {@code watch PORT COUNT
 * SECONDS} with how many events and answers came.
 */
public final class WatcherMain {
  private static final Duration RELOADED = Duration.ofSeconds(5);

  private WatcherMain() {}

  public static void main(String[] args) throws IOException {
    ChildProtocol.serve(WatcherMain::answer);
    System.exit(0);
  }

  private static String answer(List<String> words) throws IOException, InterruptedException {
    URI console = URI.create("http://127.0.0.1:" + words.get(1));
    int count = Integer.parseInt(words.get(2));
    long endNs = System.nanoTime() + Duration.ofSeconds(Integer.parseInt(words.get(3))).toNanos();
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
    return events.sum() + " " + answers.sum();
  }

  private static HttpRequest get(URI console, String path) {
    return HttpRequest.newBuilder(console.resolve(path)).build();
  }
}
