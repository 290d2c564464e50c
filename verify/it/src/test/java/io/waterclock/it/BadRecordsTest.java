package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bad record is answered with all that is wrong with it, and harms no other. */
@Timeout(600)
final class BadRecordsTest {
  private static final int PARTITIONS = 2;
  private static final int GOOD = 8;

  @TempDir static Path dir;
  private static EmbeddedKafka kafka;
  private static Tenant tenant;
  private static SchedulerProcess scheduler;
  private static Producing schedules;

  @BeforeAll
  static void startScheduler() throws Exception {
    kafka =
        EmbeddedKafka.start(dir.resolve("kafka"), 0, Map.of("group.min.session.timeout.ms", "500"));
    tenant = new Tenant(kafka.bootstrapServers(), "bad", dir);
    scheduler =
        SchedulerProcess.start(
                tenant.settings("one", Map.of("partitions", Integer.toString(PARTITIONS))))
            .awaitReady();
    takeMoreThanCanBeAnswered();
    schedules =
        new Producing(
            kafka.bootstrapServers(),
            tenant.topics().schedules(),
            Map.of("max.request.size", 64 << 20, "compression.type", "lz4"));
    IntStream.range(0, GOOD).forEach(i -> schedules.put("good/" + i, "{\"every\":\"1s\"}"));
  }

  private static void takeMoreThanCanBeAnswered() throws Exception {
    try (Admin admin = tenant.admin()) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, tenant.topics().schedules()),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("max.message.bytes", Integer.toString(64 << 20)),
                          AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
  }

  @AfterAll
  static void stopScheduler() {
    schedules.close();
    scheduler.close();
    kafka.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "minute; {\"cron\":\"61 * * * *\"}; cron",
        "zone; {\"cron\":\"0 9 * * *\",\"timezone\":\"Europe/Berln\"}; timezone",
        "two-triggers; {\"cron\":\"0 9 * * *\",\"every\":\"5m\"}; ``",
        "unknown-field; {\"every\":\"5m\",\"catchup\":\"skip\"}; catchup",
        "never; {\"cron\":\"0 0 30 2 *\"}; cron",
        "no-trigger; {\"payload\":1}; ``",
        "too-often; {\"every\":\"10ms\"}; every",
        "three; {\"cron\":\"61 * * * *\",\"timezone\":\"Nowhere\",\"colour\":1};"
            + " colour cron timezone"
      })
  void every_problem_of_a_bad_definition_is_in_the_answer_and_in_its_status(
      String name, String json, String fields) {
    String id = "bad/" + name;
    Answer answer = request(Optional.of(utf8(id)), utf8(json), name);
    assertThat(answer.getVerdict()).isEqualTo(Verdict.REJECTED);
    assertThat(answer.getScheduleId()).isEqualTo(id);
    assertThat(answer.getProblems().stream().map(Problem::getField).collect(Collectors.toSet()))
        .isEqualTo(Set.of(fields.split(" ")));
    assertThat(status(id))
        .satisfies(
            status -> {
              assertThat(status.getState()).isEqualTo(State.REJECTED);
              assertThat(status.getRevision()).isNull();
              assertThat(status.getRejectedRevision()).contains(".schedules-");
              assertThat(status.getProblems()).isEqualTo(answer.getProblems());
            });
    assertOneLogLineAtMost(line -> line.contains("Rejected " + id + " "));
  }

  @Test
  void a_definition_whose_fires_would_be_too_large_is_rejected() {
    String payload = "x".repeat(1_048_200);
    Answer answer =
        request(
            Optional.of(utf8("bad/large")),
            utf8("{\"every\":\"1s\",\"payload\":\"" + payload + "\"}"),
            "large");
    assertThat(answer.getVerdict()).isEqualTo(Verdict.REJECTED);
    assertThat(answer.getProblems()).extracting(Problem::getField).containsExactly("payload");
  }

  @Test
  void a_good_definition_stays_in_force_when_a_bad_one_follows() {
    String id = "bad/update";
    Answer good = request(Optional.of(utf8(id)), utf8("{\"every\":\"1s\"}"), "good-one");
    assertThat(good.getVerdict()).isEqualTo(Verdict.ACCEPTED);
    Answer bad = request(Optional.of(utf8(id)), utf8("{\"every\":\"soon\"}"), "bad-one");
    assertThat(bad.getVerdict()).isEqualTo(Verdict.REJECTED);
    assertThat(bad.getRevision()).isEqualTo(good.getRevision());
    assertThat(status(id))
        .satisfies(
            status -> {
              assertThat(status.getState()).isEqualTo(State.ACTIVE);
              assertThat(status.getRevision()).isEqualTo(good.getRevision());
              assertThat(status.getRejectedRevision()).isNotNull();
              assertThat(status.getProblems()).isEqualTo(bad.getProblems());
            });
    awaitFire(id, Instant.now());
  }

  @Test
  void a_key_that_is_no_schedule_id_is_a_dead_letter_and_answered() {
    assertDead(Optional.of(utf8("no spaces, please")), utf8("{\"every\":\"5m\"}"), "bad-id");
  }

  @Test
  void a_record_without_a_key_is_refused_by_the_broker() {
    assertThatThrownBy(
            () ->
                schedules.send(Optional.empty(), Optional.of(utf8("{\"every\":\"5m\"}")), Map.of()))
        .hasRootCauseInstanceOf(InvalidRecordException.class);
  }

  @Test
  void bytes_that_are_nothing_are_a_dead_letter_and_answered() {
    assertDead(Optional.of(utf8("bad/bytes")), new byte[] {7, 7, 7}, "bytes");
  }

  @Test
  void an_empty_value_is_a_dead_letter_and_answered() {
    assertDead(Optional.of(utf8("bad/nothing")), new byte[0], "nothing");
  }

  @Test
  void a_value_of_a_schema_registry_is_a_dead_letter_and_answered() {
    assertDead(Optional.of(utf8("bad/registry")), new byte[] {0, 0, 0, 0, 42, 2, 2}, "registry");
  }

  @Test
  void broken_json_is_a_dead_letter_or_rejected_but_answered() {
    Answer answer = request(Optional.of(utf8("bad/json")), utf8("{\"every\":\"5m\""), "json");
    assertThat(answer.getVerdict()).isEqualTo(Verdict.REJECTED);
    assertThat(answer.getProblems()).isNotEmpty();
  }

  @Test
  void what_is_too_large_to_be_answered_in_full_is_answered_in_part_and_harms_nobody() {
    byte[] huge = new byte[8 << 20];
    huge[0] = 7;
    Answer bytes = request(Optional.of(utf8("bad/huge")), huge, "huge");
    assertThat(bytes.getVerdict()).isEqualTo(Verdict.REJECTED);

    Answer key = request(Optional.of(utf8("k".repeat(2_000_000))), utf8("{}"), "huge-key");
    assertThat(key.getVerdict()).isEqualTo(Verdict.REJECTED);

    String fields =
        IntStream.range(0, 30_000)
            .mapToObj(i -> "\"unknown-field-number-" + i + "\":1")
            .collect(Collectors.joining(","));
    Answer many = request(Optional.of(utf8("bad/many")), utf8("{" + fields + "}"), "many");
    assertThat(many.getProblems()).hasSizeGreaterThan(10);

    schedules.send(
        Optional.of(utf8("bad/correlation")),
        Optional.of(utf8("{}")),
        Map.of(HeaderNames.CORRELATION_ID, "c".repeat(900_000), HeaderNames.ANSWER_PARTITION, "0"));
    assertThat(request(Optional.of(utf8("bad/after")), utf8("{}"), "after").getVerdict())
        .isEqualTo(Verdict.REJECTED);
    assertGoodSchedulesFire();
    assertThat(scheduler.log()).noneMatch(line -> line.contains("A stream thread died"));
  }

  @Test
  @Tag("all")
  void the_others_go_on_meanwhile() {
    for (int i = 0; i < 200; i++) {
      schedules.put("bad/storm-" + i, "{\"cron\":\"61 * * * *\"}");
      schedules.put("not an id " + i, "{\"cron\":\"61 * * * *\"}");
    }
    assertGoodSchedulesFire();
    try (TopicReader<Fire> fires = tenant.fires()) {
      Map<String, List<Instant>> occurrences =
          TopicReader.values(fires.toEnd()).stream()
              .filter(fire -> fire.getScheduleId().startsWith("good/"))
              .collect(
                  Collectors.groupingBy(
                      Fire::getScheduleId,
                      Collectors.mapping(Fire::getOccurrence, Collectors.toList())));
      assertThat(occurrences).hasSize(GOOD);
      assertThat(occurrences.values())
          .allSatisfy(
              fired ->
                  assertThat(fired)
                      .isEqualTo(
                          Stream.iterate(fired.get(0), at -> at.plusSeconds(1))
                              .limit(fired.size())
                              .toList()));
    }
  }

  private static void assertDead(Optional<byte[]> key, byte[] value, String name) {
    Answer answer = request(key, value, name);
    assertThat(answer.getVerdict()).isEqualTo(Verdict.REJECTED);
    assertThat(answer.getProblems()).hasSize(1);
    try (TopicReader<byte[]> deadLetters = tenant.deadLetters()) {
      List<TopicReader.Entry<byte[]>> dead =
          deadLetters.toEnd().stream()
              .filter(entry -> name.equals(entry.headers().get(HeaderNames.CORRELATION_ID)))
              .toList();
      assertThat(dead).hasSize(1);
      assertThat(dead.get(0).value().orElseThrow()).isEqualTo(value);
      assertThat(dead.get(0).headers())
          .containsEntry(HeaderNames.ORIGIN_TOPIC, tenant.topics().schedules())
          .containsKeys(HeaderNames.ORIGIN_PARTITION, HeaderNames.ORIGIN_OFFSET)
          .hasEntrySatisfying(
              HeaderNames.ERROR,
              error -> assertThat(error).contains(answer.getProblems().get(0).getMessage()));
      String origin =
          tenant.topics().schedules()
              + "-"
              + dead.get(0).headers().get(HeaderNames.ORIGIN_PARTITION)
              + "@"
              + dead.get(0).headers().get(HeaderNames.ORIGIN_OFFSET);
      assertOneLogLineAtMost(line -> line.contains(origin + ":"));
    }
  }

  /** Writes a record and returns its one answer, which must be where it was asked for. */
  private static Answer request(Optional<byte[]> key, byte[] value, String correlationId) {
    int partition = Math.floorMod(correlationId.hashCode(), PARTITIONS);
    schedules.send(
        key,
        Optional.of(value),
        Map.of(
            HeaderNames.CORRELATION_ID,
            correlationId,
            HeaderNames.ANSWER_PARTITION,
            Integer.toString(partition)));
    try (TopicReader<Answer> answers = tenant.answers()) {
      Predicate<TopicReader.Entry<Answer>> mine =
          entry -> entry.key().stream().anyMatch(correlationId::equals);
      await().atMost(Duration.ofMinutes(4)).until(() -> answers.poll().stream().anyMatch(mine));
      List<TopicReader.Entry<Answer>> found = answers.toEnd().stream().filter(mine).toList();
      assertThat(found).hasSize(1);
      assertThat(found.get(0).partition()).isEqualTo(partition);
      return found.get(0).value().orElseThrow();
    }
  }

  private static ScheduleStatus status(String id) {
    try (TopicReader<ScheduleStatus> statuses = tenant.status()) {
      List<ScheduleStatus> ofId =
          TopicReader.values(statuses.toEnd()).stream()
              .filter(status -> status.getScheduleId().equals(id))
              .toList();
      return ofId.get(ofId.size() - 1);
    }
  }

  /** Later ones of many are only counted. */
  private static void assertOneLogLineAtMost(Predicate<String> predicate) {
    assertThat(scheduler.log().stream().filter(predicate)).hasSizeLessThan(2);
  }

  /** In every partition something still fires. */
  private static void assertGoodSchedulesFire() {
    Instant now = Instant.now();
    try (TopicReader<Fire> fires = tenant.fires()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(
              () ->
                  fires.poll().stream()
                          .filter(entry -> entry.value().orElseThrow().getFiredAt().isAfter(now))
                          .map(entry -> entry.value().orElseThrow().getScheduleId())
                          .filter(id -> id.startsWith("good/"))
                          .distinct()
                          .count()
                      == GOOD);
    }
  }

  private static void awaitFire(String id, Instant since) {
    try (TopicReader<Fire> fires = tenant.fires()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(
              () ->
                  fires.values().stream()
                      .anyMatch(
                          fire ->
                              fire.getScheduleId().equals(id) && fire.getFiredAt().isAfter(since)));
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
