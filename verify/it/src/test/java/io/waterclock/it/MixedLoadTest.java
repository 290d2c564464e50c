package io.waterclock.it;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * As many bad definitions and commands as good definitions, all mixed. {@code -Dwaterclock.good=N}
 * sets how many.
 */
@Timeout(600)
@Tag("all")
final class MixedLoadTest {
  private static final int GOOD = Integer.getInteger("waterclock.good", 500);
  private static final int PARTITIONS = 3;
  private static final Map<String, String> BROKER =
      Map.of("group.min.session.timeout.ms", "500", "offsets.topic.num.partitions", "1");

  /**
   * A kind of bad record.
   *
   * @param json its value; {@code %s} stands for a number
   * @param field that the answer has to name; empty: the record as a whole
   */
  private record Bad(boolean isCommand, String id, String json, Verdict verdict, String field) {}

  private static final List<Bad> KINDS =
      List.of(
          definition("{\"cron\":\"61 * * * *\",\"labels\":{\"n\":\"%s\"}}", "cron"),
          definition("{\"every\":\"5m\",\"catchup\":\"%s\"}", "catchup"),
          definition("{\"at\":\"tomorrow-%s\"}", "at"),
          definition("{\"cron\":\"0 0 30 2 *\",\"description\":\"%s\"}", "cron"),
          definition("{\"every\":\"1h\",\"timezone\":\"Atlantis/%s\"}", "timezone"),
          command("{\"command_id\":\"c-%s\",\"trigger\":{}}", Verdict.NOT_FOUND, ""),
          command(
              "{\"command_id\":\"c-%s\",\"skip\":{\"occurrence\":\"soon\"}}",
              Verdict.REJECTED, "skip.occurrence"),
          command("{\"command_id\":\"c-%s\"}", Verdict.REJECTED, ""),
          command(
              "{\"command_id\":\"c-%s\",\"pause\":{\"because\":\"of it\"}}",
              Verdict.REJECTED, "pause.because"),
          new Bad(
              true,
              "steady",
              "{\"command_id\":\"c-%s\",\"pause\":{},\"expected_revision\":\"not-this\"}",
              Verdict.CONFLICT,
              "expected_revision"));

  @TempDir Path dir;

  private static Bad definition(String json, String field) {
    return new Bad(false, "bad/", json, Verdict.REJECTED, field);
  }

  private static Bad command(String json, Verdict verdict, String field) {
    return new Bad(true, "none/", json, verdict, field);
  }

  @Test
  void each_bad_record_is_answered_with_its_reason_and_each_good_one_fires() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "mixed", dir);
      Map<String, String> settings =
          tenant.settings("one", Map.of("partitions", Integer.toString(PARTITIONS)));
      try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady()) {
        write(tenant);
        Map<String, Answer> answers = answers(tenant);
        for (int i = 0; i < GOOD; i++) {
          Bad kind = kind(i);
          Answer bad = requireNonNull(answers.get("bad-" + i));
          assertThat(bad.getVerdict()).as("%s: %s", kind, bad).isEqualTo(kind.verdict());
          assertThat(bad.getProblems())
              .as("%s: %s", kind, bad)
              .isNotEmpty()
              .allSatisfy(
                  problem -> {
                    assertThat(problem.getField()).isEqualTo(kind.field());
                    assertThat(problem.getMessage()).isNotBlank();
                  });
          assertThat(requireNonNull(answers.get("good-" + i)).getVerdict())
              .isEqualTo(Verdict.ACCEPTED);
        }
        assertEachGoodFiredOnce(tenant);
        assertThat(scheduler.log()).noneMatch(line -> line.contains("A stream thread died"));
      }
    }
  }

  private static Bad kind(int number) {
    return KINDS.get(number % KINDS.size());
  }

  /** Good and bad by turns. */
  private static void write(Tenant tenant) {
    List<Future<RecordMetadata>> written = new ArrayList<>();
    try (Producing schedules = tenant.schedules();
        Producing commands = tenant.commands()) {
      schedules.put("steady", "{\"every\":\"1h\"}");
      for (int i = 0; i < GOOD; i++) {
        written.add(schedules.send("good/" + i, "{\"at\":\"now\"}", asking("good-" + i)));
        Bad kind = kind(i);
        String id = kind.id().endsWith("/") ? kind.id() + i : kind.id();
        written.add(
            (kind.isCommand() ? commands : schedules)
                .send(id, kind.json().formatted(i), asking("bad-" + i)));
      }
      written.forEach(Producing::await);
    }
  }

  private static Map<String, String> asking(String correlationId) {
    return Map.of(HeaderNames.CORRELATION_ID, correlationId, HeaderNames.ANSWER_PARTITION, "0");
  }

  /** One for each correlation id. */
  private static Map<String, Answer> answers(Tenant tenant) {
    try (TopicReader<Answer> reader = tenant.answers()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> reader.poll(Duration.ofSeconds(1)).size() >= 2 * GOOD);
      Map<String, Answer> byId = new HashMap<>();
      reader
          .readFor(Duration.ofSeconds(1))
          .forEach(
              entry ->
                  assertThat(byId.put(entry.key().orElseThrow(), entry.value().orElseThrow()))
                      .as("answered twice: %s", entry)
                      .isNull());
      assertThat(byId).hasSize(2 * GOOD);
      return byId;
    }
  }

  private static void assertEachGoodFiredOnce(Tenant tenant) {
    try (TopicReader<Fire> reader = tenant.fires()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> reader.poll(Duration.ofSeconds(1)).size() >= GOOD);
      Map<String, Long> fires =
          TopicReader.values(reader.readFor(Duration.ofSeconds(1))).stream()
              .collect(groupingBy(Fire::getScheduleId, counting()));
      assertThat(fires).hasSize(GOOD);
      assertThat(fires)
          .allSatisfy(
              (id, count) -> {
                assertThat(id).startsWith("good/");
                assertThat(count).isOne();
              });
    }
  }
}
