package io.waterclock.topology.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
final class OpsServerTest {
  private final HealthBoard board =
      new HealthBoard(System::nanoTime, Optional::empty, Optional::empty, () -> Duration.ofDays(1));

  private final Metrics metrics = new Metrics(InstantSource.system(), () -> true, 3);
  private final TaskQueries tasks = new TaskQueries();
  private final Queries queries =
      new Queries(
          new Queries.Instance("one", "10.0.0.6:8085", "waterclock-scheduler", 3),
          InstantSource.system(),
          tasks,
          id -> Optional.of("10.0.0.7:8085"));

  @SuppressWarnings("NullAway.Init") // started before each test
  private OpsServer server;

  @BeforeEach
  void start() throws IOException {
    server = OpsServer.bind("127.0.0.1", 0);
    server.serve(board, metrics, queries);
  }

  @AfterEach
  void stop() {
    server.close();
    metrics.close();
  }

  @Test
  void good_health_is_200() throws Exception {
    assertThat(ask("GET", "/ready").statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/live").body()).isEqualTo("ok\n");
    assertThat(ask("HEAD", "/live").statusCode()).isEqualTo(200);
  }

  @Test
  void bad_health_is_503_with_the_reasons() throws Exception {
    board.assigned(new TaskId(0, 3), new NothingDone(), Instant.EPOCH);
    HttpResponse<String> answer = ask("GET", "/ready");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).isEqualTo("task 0_3 has not read its input to the end yet\n");
    assertThat(ask("HEAD", "/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void metrics_are_text_that_prometheus_reads() throws Exception {
    HttpResponse<String> answer = ask("GET", "/metrics");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
    assertThat(answer.body()).contains("\nwaterclock_ready 1.0\n", "\nwaterclock_partitions 3.0\n");
  }

  @Test
  void other_pages_and_methods_are_refused() throws Exception {
    assertThat(ask("GET", "/ready/now").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/").body())
        .isEqualTo(
            "{\"title\":\"No such page\",\"status\":404,\"detail\":\"Try /ready, /live, /metrics,"
                + " /partitions or /schedules/ID.\"}\n");
    assertThat(ask("DELETE", "/live").statusCode()).isEqualTo(405);
    assertThat(ask("GET", "/walk").headers().firstValue("Allow")).contains("POST");
    assertThat(ask("POST", "/partitions").headers().firstValue("Allow")).contains("GET");
    assertThat(ask("PUT", "/schedules/a").headers().firstValue("Allow")).contains("GET");
  }

  @Test
  void a_port_that_is_taken_is_refused() {
    assertThatThrownBy(() -> OpsServer.bind("127.0.0.1", server.port()))
        .isInstanceOf(IOException.class);
  }

  private HttpResponse<String> ask(String method, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }
}
