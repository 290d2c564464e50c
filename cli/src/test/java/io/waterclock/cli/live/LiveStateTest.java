package io.waterclock.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands while two instances share the partitions, and after both have ended. */
@Timeout(600)
class LiveStateTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> IDS =
      Stream.of("a/1", "b:2", "c@3", "d.4", "e~5", "f_6", "g-7", "h8").toList();

  @TempDir Path dir;

  @Test
  @Tag("all")
  void the_instance_that_has_a_schedule_answers_and_then_the_topics_do() throws Exception {
    try (EmbeddedKafka kafka =
        EmbeddedKafka.start(
            dir.resolve("kafka"), 0, Map.of("group.min.session.timeout.ms", "500"))) {
      try (Waterclock one = start(kafka, "one");
          Waterclock two = start(kafka, "two")) {
        await().atMost(PATIENCE).until(() -> owners(kafka).equals(Set.of("one", "two")));
        for (String id : IDS) {
          CliRun put = run(kafka, "put", id, "--cron", "0 9 * * *", "--payload", "secret");
          assertThat(put.exitCode()).as(put.err()).isZero();
        }
        Map<String, String> idOf = new TreeMap<>();
        for (String id : IDS) {
          idOf.put(assertInstanceAnswers(kafka, id, Map.of("one", one, "two", two)), id);
        }
        assertThat(idOf).containsOnlyKeys("one", "two");
        idOf.forEach((instance, id) -> assertSourceIsPrinted(kafka, id, instance));
        assertOthersNameTheOwner(kafka, one, two);
        assertDoctorAsksBoth(kafka);
        assertWatchdogChecksAll(kafka);
      }
      assertTopicsAnswer(kafka);
    }
  }

  private Waterclock start(EmbeddedKafka kafka, String instance) {
    return Waterclock.start(
        WaterclockConfig.parse(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "partitions", "4",
                "instance", instance,
                "health.port", "0",
                "state.dir", dir.resolve(instance).toString(),
                "watermark.interval", "500ms",
                "watchdog.interval", "1s",
                "main.consumer.session.timeout.ms", "1500",
                "main.consumer.heartbeat.interval.ms", "300")));
  }

  /** The owners of partitions that doctor prints, once each partition has one. */
  private static Set<String> owners(EmbeddedKafka kafka) throws Exception {
    for (JsonNode line : json(run(kafka, "doctor", "--json"))) {
      if (line.get("about").asText().equals("partitions")
          && line.get("text").asText().startsWith("4 of 4")) {
        String names = line.get("text").asText().replaceAll(".*: |\\.$", "");
        return Set.of(names.split(", "));
      }
    }
    return Set.of();
  }

  private static String assertInstanceAnswers(
      EmbeddedKafka kafka, String id, Map<String, Waterclock> all) throws Exception {
    JsonNode answer = json(run(kafka, "get", id, "--json")).get(0);
    assertThat(answer.get("source").asText()).as(id).isEqualTo("instance");
    assertThat(answer.at("/live/id").asText()).isEqualTo(id);
    assertThat(answer.at("/live/state").asText()).isEqualTo("ACTIVE");
    assertThat(answer.at("/live/definition/payload").isMissingNode()).isTrue();
    assertThat(answer.at("/definition/payload").asText()).isEqualTo("secret");
    assertThat(answer.at("/live/next/due").asText()).isEqualTo(answer.at("/next/0").asText());
    String instance = answer.get("instance").asText();
    assertThat(Optional.ofNullable(all.get(instance)).flatMap(Waterclock::healthPort))
        .map(port -> "127.0.0.1:" + port)
        .contains(answer.get("address").asText());
    return instance;
  }

  private static void assertSourceIsPrinted(EmbeddedKafka kafka, String id, String instance) {
    assertThat(run(kafka, "get", id).out()).contains("source    instance " + instance + " at ");
    CliRun doctor = run(kafka, "doctor", id);
    assertThat(doctor.exitCode()).as(doctor.out()).isZero();
    assertThat(doctor.out())
        .contains(id + ": It fires next at ", id + ": " + instance + " at 127.0.0.1:");
  }

  private static void assertOthersNameTheOwner(EmbeddedKafka kafka, Waterclock one, Waterclock two)
      throws Exception {
    JsonNode shown = json(run(kafka, "get", IDS.get(0), "--json")).get(0);
    Waterclock other = shown.get("instance").asText().equals("one") ? two : one;
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:" + other.healthPort().orElseThrow() + "/schedules/a%2F1"))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(421);
    assertThat(JSON.readTree(answer.body()).get("owner")).isEqualTo(shown.get("address"));
  }

  private static void assertDoctorAsksBoth(EmbeddedKafka kafka) {
    CliRun doctor = run(kafka, "doctor");
    assertThat(doctor.exitCode()).as(doctor.out()).isZero();
    assertThat(doctor.out())
        .containsPattern("instances: (one|two) at [0-9.:]+, (one|two) at [0-9.:]+ answer\\.")
        .contains("partitions: 4 of 4 have an owner: one, two.")
        .contains("backlog: 0 due, 0 triggered by commands, 0 in catch-up");
  }

  private static void assertWatchdogChecksAll(EmbeddedKafka kafka) throws Exception {
    CliRun watchdog = run(kafka, "doctor", "--watchdog", "--json");
    assertThat(watchdog.exitCode()).as(watchdog.out()).isZero();
    List<JsonNode> lines = json(watchdog);
    assertThat(lines).hasSize(5);
    assertThat(lines.get(4).at("/counts/checked").asInt()).isEqualTo(IDS.size());
    assertThat(lines.get(4).at("/counts/repaired").asInt()).isZero();
    assertThat(run(kafka, "doctor", "--watchdog", "a/1").exitCode()).isEqualTo(2);

    assertThat(run(kafka, "list", "--stale", "1h").lines())
        .containsExactly("ID  STATE  TRIGGER  ZONE  LAST  NEXT  CHECKED", "0 schedules");
    List<JsonNode> stale = json(run(kafka, "list", "--stale", "1ms", "--json"));
    assertThat(stale).hasSize(IDS.size());
    assertThat(stale)
        .allSatisfy(
            schedule -> {
              assertThat(schedule.get("source").asText()).isEqualTo("instance");
              assertThat(schedule.get("checked_since").asText()).isNotEmpty();
            });
    assertThat(run(kafka, "list", "--stale", "0s").exitCode()).isEqualTo(2);
  }

  private static void assertTopicsAnswer(EmbeddedKafka kafka) throws Exception {
    JsonNode answer = json(run(kafka, "get", "a/1", "--json")).get(0);
    assertThat(answer.get("source").asText()).isEqualTo("topics");
    assertThat(answer.has("live")).isFalse();
    assertThat(answer.get("decided_through").asText()).isNotEmpty();
    assertThat(answer.get("checked_since").asText()).isNotEmpty();
    assertThat(run(kafka, "get", "a/1").out())
        .contains("source    topics, because no instance answers");
    Map<String, JsonNode> stale = new TreeMap<>();
    CliRun list = run(kafka, "list", "--stale", "1ms", "--json");
    json(list).forEach(schedule -> stale.put(schedule.get("id").asText(), schedule));
    assertThat(stale).containsOnlyKeys(IDS);
    assertThat(stale.values())
        .allMatch(schedule -> schedule.get("source").asText().equals("topics"));
    assertThat(run(kafka, "list", "--stale", "1h").err())
        .contains("no instance answers for any partition");
    CliRun watchdog =
        run(
            kafka,
            "doctor",
            "--watchdog",
            "--timeout",
            "500ms",
            "--property",
            "default.api.timeout.ms=60000");
    assertThat(watchdog.exitCode()).isEqualTo(1);
    assertThat(watchdog.out())
        .contains(
            "WRONG  partition 3: There was no watchdog pass: no instance that answers owns the"
                + " partition.");
    assertThat(run(kafka, "doctor").out())
        .contains("does not answer: the findings about its partitions come from the topics.");
  }

  private static List<JsonNode> json(CliRun run) throws Exception {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : run.lines()) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  private static CliRun run(EmbeddedKafka kafka, String... args) {
    return CliRun.today(
        Stream.concat(Stream.of(args), Stream.of("--bootstrap-server", kafka.bootstrapServers()))
            .toArray(String[]::new));
  }
}
