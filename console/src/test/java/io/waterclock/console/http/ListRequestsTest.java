package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.Role;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.follow.TopicSource;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists over HTTP: what they answer, and what they say of a wrong parameter. */
final class ListRequestsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final String POSITION = "waterclock.schedules-0@7";

  private static TopicFollower follower;
  private static ConsoleServer server;

  @BeforeAll
  static void start() throws IOException {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1_000, 100));
    accept(model, "a", "money", CatchUp.REPLAY, status -> status);
    accept(
        model,
        "b",
        "money",
        CatchUp.SKIP,
        status ->
            status
                .setRejectedRevision("waterclock.schedules-0@8")
                .setProblems(List.of(new Problem("cron", "is wrong", null))));
    for (String id : List.of("c", "d")) {
      accept(
          model,
          id,
          "other",
          CatchUp.SKIP,
          status ->
              status.setState(State.PAUSED).setPause(new CommandedPause(NOW, "moving", "ann")));
    }
    model.write(
        to ->
            to.missed(
                Missed.newBuilder()
                    .setScheduleId("a")
                    .setRevision(POSITION)
                    .setFirst(NOW)
                    .setLast(NOW)
                    .setCount(7)
                    .setReason(MissedReason.GRACE)
                    .setDecidedAt(NOW)
                    .build()));
    TopicReader noBroker =
        new TopicReader(
            () -> {
              throw new KafkaException("No Kafka broker answers at kafka:9092.");
            });
    TopicSource source = new TopicSource(noBroker, Topics.ofDefault(), SchemaSource.none());
    InstantSource clock = InstantSource.fixed(NOW);
    follower = TopicFollower.start(source, model, new TopicFollower.Bounds(1_000, clock));
    server =
        ConsoleServer.start(
            new ConsoleServer.Listening(
                "127.0.0.1",
                0,
                AccessRules.forEveryone(Role.VIEWER),
                new Identification.None("vera")),
            new ConsoleServer.Served(
                model,
                follower,
                source,
                Optional.empty(),
                new ConsoleServer.Offer(List.of(), List.of())),
            clock);
  }

  private static void accept(
      ReadModel model,
      String id,
      String owner,
      CatchUp catchUp,
      UnaryOperator<ScheduleStatus.Builder> change) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setOwner(owner)
            .setCatchUp(catchUp)
            .build();
    ScheduleStatus.Builder status =
        ScheduleStatus.newBuilder()
            .setScheduleId(id)
            .setState(State.ACTIVE)
            .setRevision(POSITION)
            .setSince(NOW);
    model.write(
        to -> {
          to.revision(
              Revision.newBuilder()
                  .setScheduleId(id)
                  .setRevision(POSITION)
                  .setSchedule(schedule)
                  .setOwnsAfter(NOW)
                  .setEffectiveAt(NOW)
                  .setAcceptedAt(NOW)
                  .setTzdb("2026a")
                  .build(),
              NOW);
          to.status(id, Optional.of(change.apply(status).build()), NOW);
        });
  }

  @AfterAll
  static void stop() {
    server.close();
    follower.close();
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode answer(String path) throws Exception {
    HttpResponse<String> answer = get("/api/v1/" + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  @ParameterizedTest
  @CsvSource({
    "schedules?sort=-owner, c d a b",
    "schedules?sort=owner&limit=3, a b c",
    "schedules?state=REJECTED, b",
    "schedules?where=catch_up+%3D+replay, a",
    "schedules?where=paused_by&sort=-id, d c",
    "schedules?text=ann, ''",
    "schedules?never=1, ''",
    "problems, b c",
    "problems?owner=money, b",
    "problems?kind=paused&owner=other, c",
    "missed?since=2026-11-24T12:00:00Z, a",
    "missed?reason=paused, ''"
  })
  void list_holds_what_is_asked_for(String path, String ids) throws Exception {
    JsonNode answer = answer(path);
    List<String> found =
        answer.path(path.replaceFirst("[?].*", "")).findValues("id").stream()
            .map(JsonNode::asText)
            .toList();
    assertThat(String.join(" ", found)).isEqualTo(ids);
  }

  @Test
  void pauses_of_one_person_are_one_row_with_the_condition_that_lists_them() throws Exception {
    JsonNode row = answer("problems?kind=PAUSED").path("problems").path(0);
    assertThat(row.path("count").asInt()).isEqualTo(2);
    String where = row.path("where").asText();
    assertThat(answer("schedules?where=" + URLEncoder.encode(where, UTF_8)).path("total").asInt())
        .isEqualTo(2);
    assertThat(answer("problems").path("counts").toString())
        .isEqualTo("{\"EDIT_REJECTED\":1,\"PAUSED\":2}");
    assertThat(answer("overview").path("problem_rows").asInt()).isEqualTo(2);
  }

  @Test
  void next_page_goes_on_in_the_same_order() throws Exception {
    JsonNode first = answer("schedules?sort=-owner&limit=3");
    String after = URLEncoder.encode(first.path("after").asText(), UTF_8);
    JsonNode second = answer("schedules?sort=-owner&limit=3&after=" + after);
    assertThat(second.path("schedules").findValuesAsText("id")).containsExactly("b");
    assertThat(second.has("after")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedules?sort=colour | sort must be one of id, state",
        "schedules?where=colour+%3D+red | where: column 1",
        "schedules?sort=next&after=x | after must be that of an earlier page",
        "problems?kind=hungry | kind must be one of faulted, rejected, edit_rejected, failing, overdue, waiting, never_fires, unknown_limit, paused",
        "problems?after=x | after must be that of an earlier page",
        "missed?reason=x | reason must be one of grace,",
        "missed?since=x | since"
      })
  void wrong_parameter_is_named_with_what_is_right(String path, String words) throws Exception {
    HttpResponse<String> answer = get("/api/v1/" + path);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(words);
  }

  @Test
  void schedule_says_that_the_console_cannot_read_and_never_that_it_fires() throws Exception {
    JsonNode tree =
        await() // the follower tries at its start
            .atMost(Duration.ofMinutes(2))
            .until(() -> answer("schedule?id=b"), one -> one.toString().contains("kafka:9092"));
    assertThat(tree.path("edit_rejected").asBoolean()).isFalse(); // its record is not known here
    List<String> why = tree.path("why").findValuesAsText("text");
    assertThat(why.get(0))
        .startsWith("The console cannot read the topics")
        .endsWith("No Kafka broker answers at kafka:9092.");
    assertThat(why).anyMatch(text -> text.contains("cannot see whether it fires"));
    assertThat(tree.path("why").findValuesAsText("level")).doesNotContain("GOOD");
    assertThat(tree.path("facts").path(0).toString())
        .isEqualTo("{\"name\":\"Owner\",\"text\":\"money\",\"list\":{\"owner\":\"money\"}}");
  }
}
