package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.runtime.http.HealthBoard;
import io.waterclock.runtime.http.OpsServer;
import io.waterclock.runtime.http.Queries;
import io.waterclock.runtime.http.TaskQueries;
import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.topology.scheduler.context.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a scheduler answers over HTTP. */
@Timeout(600)
final class QueriesTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final String PAUSE = "{\"command_id\":\"c-1\",\"pause\":{\"author\":\"ann\"}}";

  private final Metrics metrics = new Metrics(InstantSource.system(), () -> true, 1);
  private final TaskQueries tasks = new TaskQueries();
  private final HttpClient http = HttpClient.newHttpClient();
  private final SchedulerHarness scheduler =
      SchedulerHarness.ticking(START, pace(), Duration.ofHours(1), tasks, SchedulerHarness.LIMITS);

  private volatile String owner = "10.0.0.7:8085";

  @SuppressWarnings("NullAway.Init") // started before each test
  private OpsServer server;

  private static Settings.Pace pace() {
    Settings.Pace standard = Settings.Pace.standard();
    return new Settings.Pace(
        Duration.ofSeconds(1),
        standard.tickBudget(),
        standard.catchUpChunk(),
        standard.watermarkInterval(),
        standard.watchdogInterval());
  }

  @BeforeEach
  void start() throws IOException {
    server = OpsServer.bind("127.0.0.1", 0);
    server.serve(
        new HealthBoard(
            System::nanoTime,
            Optional::empty,
            Optional::empty,
            () -> Duration.ofDays(1),
            () -> Duration.ofDays(1)),
        metrics,
        new Queries(
            new Queries.Instance("one", "10.0.0.6:8085", "waterclock-scheduler", 1),
            InstantSource.fixed(START),
            tasks,
            id -> Optional.of(owner)),
        List.of());
  }

  @AfterEach
  void stop() {
    server.close();
    scheduler.close();
    metrics.close();
  }

  @Test
  void a_schedule_is_told_as_it_stands_but_for_what_it_sends() throws Exception {
    scheduler.put(
        "reports/a:1@x~y",
        "{\"cron\":\"0 * * * *\",\"payload\":{\"secret\":1},\"headers\":{\"k\":\"djE=\"},"
            + "\"jitter\":\"PT1M\"}");
    HttpResponse<String> answer = ask("GET", "/schedules/reports%2Fa:1%40x~y");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(answer.body()).doesNotContain("secret", "djE=");
    JsonNode tree = json(answer);
    assertThat(tree.get("instance").asText()).isEqualTo("one");
    assertThat(tree.get("id").asText()).isEqualTo("reports/a:1@x~y");
    assertThat(tree.get("state").asText()).isEqualTo("ACTIVE");
    assertThat(tree.at("/status/revision").asText()).isEqualTo("waterclock.schedules-0@0");
    assertThat(tree.at("/definition/cron").asText()).isEqualTo("0 * * * *");
    assertThat(tree.get("in_step").asBoolean()).isTrue();
    assertThat(tree.at("/next/occurrence").asText()).isEqualTo("2026-11-21T13:00:00Z");
    assertThat(tree.at("/next/due").asText()).startsWith("2026-11-21T13:00:");
    assertThat(tree.at("/queued/lane").asText()).isEqualTo("live");
    assertThat(tree.at("/queued/due").asText()).isEqualTo(tree.at("/next/due").asText());
    assertThat(tree.at("/home/gate_open").asBoolean()).isTrue();
    assertThat(json(ask("GET", "/schedules/reports/a:1@x~y")).at("/status/revision"))
        .isEqualTo(tree.at("/status/revision"));
  }

  @Test
  void what_commands_have_set_is_told() throws Exception {
    scheduler.put("a", "{\"cron\":\"0 * * * *\"}");
    scheduler.command("a", PAUSE);
    JsonNode paused = json(ask("GET", "/schedules/a"));
    assertThat(paused.get("state").asText()).isEqualTo("PAUSED");
    assertThat(paused.at("/status/pause/author").asText()).isEqualTo("ann");
    assertThat(paused.has("next")).isFalse();
    assertThat(paused.has("queued")).isFalse();
    assertThat(paused.get("in_step").asBoolean()).isFalse();
  }

  @Test
  void a_schedule_that_catches_up_is_in_another_lane() throws Exception {
    scheduler.put("a", "{\"every\":\"1s\",\"catch_up\":\"replay\",\"max_replay\":1000000}");
    scheduler.stop();
    scheduler.advance(Duration.ofHours(10));
    scheduler.start();
    JsonNode tree = json(ask("GET", "/schedules/a"));
    assertThat(tree.get("in_step").asBoolean()).isFalse();
    assertThat(tree.at("/queued/lane").asText()).isEqualTo("catch_up");
    assertThat(tree.get("replay_through").asText()).isNotEmpty();
    assertThat(json(ask("GET", "/partitions")).at("/owned/0/backlog/catch_up").asInt())
        .isEqualTo(1);
  }

  @Test
  void partitions_are_told_with_the_watermark_as_it_would_be_now() throws Exception {
    scheduler.put("a", "{\"cron\":\"0 * * * *\"}");
    scheduler.put("b", "{\"cron\":\"0 * * * *\",\"enabled\":false}");
    JsonNode tree = json(ask("GET", "/partitions"));
    assertThat(tree.get("partitions").asInt()).isEqualTo(1);
    assertThat(tree.get("owned")).hasSize(1);
    JsonNode partition = tree.at("/owned/0");
    assertThat(partition.at("/schedules/active").asInt()).isEqualTo(1);
    assertThat(partition.at("/schedules/paused").asInt()).isEqualTo(1);
    assertThat(partition.at("/backlog/live").asInt()).isZero();
    assertThat(Instant.parse(partition.at("/watermark/written_at").asText()))
        .isAfterOrEqualTo(START);
    assertThat(partition.at("/watermark/walk/started_at").asText()).isNotEmpty();
    scheduler.stop();
    assertThat(json(ask("GET", "/partitions")).get("owned")).isEmpty();
  }

  @Test
  void a_walk_can_be_asked_for_again_and_again() throws Exception {
    JsonNode first = json(ask("POST", "/watchdog"));
    Instant since = Instant.parse(first.at("/passes/0/since").asText());
    scheduler.advance(Duration.ofSeconds(1));
    JsonNode walk = json(ask("GET", "/partitions")).at("/owned/0/watermark/walk");
    assertThat(Instant.parse(walk.get("started_at").asText())).isAfterOrEqualTo(since);
    assertThat(walk.get("ended_at").asText()).isNotEmpty();
  }

  @Test
  void what_is_wrong_with_a_question_is_a_problem_in_json() throws Exception {
    assertProblem(ask("GET", "/schedules/none"), 404, "There is no schedule none in partition 0.");
    assertProblem(ask("GET", "/schedules/b%20c"), 400, "a space");
    assertProblem(ask("GET", "/schedules/"), 400, "schedule id");
    assertProblem(ask("GET", "/schedules/%FF"), 400, "schedule id");
    scheduler.stop();
    HttpResponse<String> elsewhere = ask("GET", "/schedules/none");
    assertProblem(elsewhere, 421, "Partition 0, where none belongs, is not here");
    assertThat(json(elsewhere).get("owner").asText()).isEqualTo("10.0.0.7:8085");
    owner = "10.0.0.6:8085";
    assertProblem(ask("GET", "/schedules/none"), 503, "is still being restored here.");
  }

  @Test
  void a_task_that_does_not_tick_is_not_waited_for_for_ever() throws Exception {
    HttpResponse<String> answer =
        http.send(request("GET", "/schedules/a"), HttpResponse.BodyHandlers.ofString());
    assertProblem(answer, 503, "The task of partition 0 did not answer within 2 s");
    HttpResponse<String> all =
        http.send(request("GET", "/partitions"), HttpResponse.BodyHandlers.ofString());
    assertThat(json(all).at("/owned/0/problem").asText()).contains("did not answer");
  }

  private static void assertProblem(HttpResponse<String> answer, int status, String detail)
      throws IOException {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(json(answer).get("status").asInt()).isEqualTo(status);
    assertThat(json(answer).get("detail").asText()).contains(detail);
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }

  private HttpRequest request(String method, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .build();
  }

  /** The tasks answer when they tick. */
  private HttpResponse<String> ask(String method, String path) throws Exception {
    CompletableFuture<HttpResponse<String>> answer =
        http.sendAsync(request(method, path), HttpResponse.BodyHandlers.ofString());
    while (!answer.isDone()) {
      scheduler.step(Duration.ofMillis(1));
    }
    return answer.get();
  }
}
