package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.cli.cluster.FakeScheduler;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class PutDeleteCommandTest {
  @TempDir static Path dir;
  @RegisterExtension static final Broker broker = new Broker();

  @Test
  void flags_become_the_json_form_and_the_answer_is_printed() throws Exception {
    Topics topics = broker.topics("flags");
    try (FakeScheduler scheduler =
        new FakeScheduler(broker, topics, PutDeleteCommandTest::accept)) {
      CliRun run =
          broker.run(
              topics,
              "put",
              "reports/daily",
              "--cron=0 9 * * 1-5",
              "--zone=Europe/Berlin",
              "--catch-up=REPLAY",
              "--max-replay=5",
              "--payload={\"amount\": 1.10}",
              "--label=team=a",
              "--label=tier=1",
              "--skip=2026-12-24T09:00:00",
              "--except=holidays-de",
              "--on-excluded=next-working-day",
              "--disabled",
              "--on-resume=fire-once");
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .isEqualToIgnoringNewLines(
              "reports/daily accepted: next occurrence 2026-11-21T10:05:00Z,"
                  + " revision x.schedules-0@7");
      assertThat(run.exitCode()).isZero();
      ConsumerRecord<byte[], byte[]> request = scheduler.seen().get(0);
      assertThat(new String(request.value(), UTF_8))
          .isEqualTo(
              "{\"cron\":\"0 9 * * 1-5\",\"timezone\":\"Europe/Berlin\",\"enabled\":false,"
                  + "\"on_resume\":\"fire-once\",\"catch_up\":\"replay\",\"max_replay\":5,\"skip\":[\"2026-12-24T09:00:00\"],"
                  + "\"except\":[\"holidays-de\"],\"on_excluded\":\"next-working-day\","
                  + "\"payload\":{\"amount\":1.10},\"labels\":{\"team\":\"a\",\"tier\":\"1\"}}");
    }
  }

  @Test
  void expectations_are_one_object() throws Exception {
    Topics topics = broker.topics("expecting");
    try (FakeScheduler scheduler =
        new FakeScheduler(broker, topics, PutDeleteCommandTest::accept)) {
      broker.run(
          topics,
          "put",
          "a",
          "--every=5m",
          "--expect-started-within=1m",
          "--expect-succeeded-within=4m",
          "--expect-succeeded-every=1h",
          "--contact=#acme",
          "--runbook=https://acme.example.com");
      broker.run(topics, "put", "b", "--every=5m", "--expect-nothing");
      assertThat(scheduler.seen())
          .extracting(record -> new String(record.value(), UTF_8))
          .containsExactlyInAnyOrder(
              "{\"every\":\"5m\",\"expect\":{\"started_within\":\"1m\",\"succeeded_within\":\"4m\","
                  + "\"succeeded_every\":\"1h\",\"contact\":\"#acme\","
                  + "\"runbook\":\"https://acme.example.com\"}}",
              "{\"every\":\"5m\",\"expect\":{}}");
      CliRun both = broker.run(topics, "put", "c", "--every=5m", "--expect-nothing", "--contact=a");
      assertThat(both.exitCode()).isEqualTo(2);
      assertThat(both.err()).contains("--expect-nothing does not go with other expectations");
    }
  }

  @Test
  void programs_get_the_answer_as_json() throws Exception {
    Topics topics = broker.topics("programs");
    try (FakeScheduler scheduler =
        new FakeScheduler(broker, topics, PutDeleteCommandTest::accept)) {
      CliRun put = broker.run(topics, "put", "a", "--every=5m", "--json");
      assertThat(put.out()).contains("\"schedule_id\":\"a\"", "\"revision\":\"x.schedules-0@7\"");
      assertThat(put.lines()).hasSize(1);
      assertThat(broker.run(topics, "delete", "a", "--json").out())
          .contains("\"schedule_id\":\"a\"");
      assertThat(scheduler.seen()).hasSize(2);
    }
  }

  @Test
  void a_payload_that_is_no_json_is_text() throws Exception {
    Topics topics = broker.topics("text");
    try (FakeScheduler scheduler =
        new FakeScheduler(broker, topics, PutDeleteCommandTest::accept)) {
      broker.run(topics, "put", "a", "--every=5m", "--payload=hello there");
      broker.run(topics, "put", "b", "--every=5m", "--payload=42", "--content-type=text/csv");
      assertThat(scheduler.seen())
          .extracting(record -> new String(record.value(), UTF_8))
          .containsExactlyInAnyOrder(
              "{\"every\":\"5m\",\"payload\":\"hello there\",\"content_type\":\"text/plain\"}",
              "{\"every\":\"5m\",\"payload\":\"42\",\"content_type\":\"text/csv\"}");
    }
  }

  @Test
  void what_is_probably_not_meant_is_noted() throws Exception {
    Topics topics = broker.topics("doubts");
    try (FakeScheduler scheduler =
        new FakeScheduler(broker, topics, PutDeleteCommandTest::accept)) {
      assertThat(broker.run(topics, "put", "a", "--every=5m", "--payload={\"a\":").err())
          .isEqualTo("waterclock: the payload is not JSON; it is sent as text (text/plain).\n");
      assertThat(broker.run(topics, "put", "a", "--every=5m", "--payload={\"a\":1}").err())
          .isEmpty();
      assertThat(broker.run(topics, "put", "a", "--at=2026-11-20").err())
          .isEqualTo("waterclock: --at 2026-11-20 is in the past: it is due now.\n");
      CliRun refused = broker.run(topics, "put", "a", "--at=2026-11-20", "--future-only");
      assertThat(refused.err())
          .isEqualTo("waterclock: --at 2026-11-20 is in the past; nothing was defined.\n");
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(broker.run(topics, "put", "a", "--at=2026-11-22", "--future-only").err())
          .isEmpty();
      assertThat(broker.run(topics, "put", "a", "--at=2h", "--future-only").err()).isEmpty();
      assertThat(broker.run(topics, "put", "a", "--every=5m", "--future-only").exitCode())
          .isEqualTo(2);
      assertThat(broker.run(topics, "put", "b", "--every=5m", "--payload", "@x").err())
          .isEqualTo("waterclock: the payload is the text @x, not a file.\n");
      assertThat(broker.run(topics, "put", "a b", "--every=5m").err()).contains("a space");
      assertThat(broker.run(topics, "put", "a", "--every=5m", "--start-at=2h").err()).isEmpty();
      assertThat(scheduler.seen())
          .extracting(record -> new String(record.value(), UTF_8))
          .contains(
              "{\"at\":\"2026-11-20T00:00:00\"}",
              "{\"at\":\"2026-11-21T12:00:00Z\"}",
              "{\"every\":\"5m\",\"start_at\":\"2026-11-21T12:00:00Z\"}")
          .hasSize(7);
    }
  }

  @Test
  void a_json_file_is_sent_unchanged_and_a_yaml_file_becomes_json() throws Exception {
    Topics topics = broker.topics("files");
    Path json = Files.writeString(dir.resolve("a.json"), "\n {\"evry\": \"5m\"}\n");
    Path yaml =
        Files.writeString(dir.resolve("b.yaml"), "every: 5m\nenabled: false\npayload:\n  n: 1\n");
    try (FakeScheduler scheduler =
        new FakeScheduler(broker, topics, PutDeleteCommandTest::accept)) {
      assertThat(broker.run(topics, "put", "a", "--file", json.toString()).exitCode()).isZero();
      assertThat(broker.run(topics, "put", "b", "-f", yaml.toString()).exitCode()).isZero();
      assertThat(scheduler.seen())
          .extracting(record -> new String(record.value(), UTF_8))
          .containsExactlyInAnyOrder(
              "{\"evry\": \"5m\"}", "{\"every\":\"5m\",\"enabled\":false,\"payload\":{\"n\":1}}");
    }
  }

  @Test
  void a_rejection_prints_all_problems_and_exits_with_1() throws Exception {
    Topics topics = broker.topics("rejected");
    BiFunction<String, Answer.Builder, Answer> reject =
        (id, answer) ->
            answer
                .setVerdict(Verdict.REJECTED)
                .setProblems(
                    List.of(
                        new Problem("cron", "minute: 61 is out of range", "\"0 9 * * *\""),
                        new Problem("timezone", "\"X\" is no zone", null)))
                .build();
    try (FakeScheduler scheduler = new FakeScheduler(broker, topics, reject)) {
      CliRun run = broker.run(topics, "put", "a", "--cron=61 * * * *", "--zone=X");
      assertThat(scheduler.seen()).hasSize(1);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err().lines())
          .hasSize(3)
          .first()
          .isEqualTo("waterclock: a was rejected, for 2 reasons:");
      assertThat(run.err())
          .contains(
              "  --cron: minute: 61 is out of range; for example --cron '0 9 * * *'\n",
              "  --zone: \"X\" is no zone\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "catch_up; \"catch_up\": \"skip\"; --catch-up; --catch-up skip",
        "timeout; \"timeout\": \"PT1M\"; --run-timeout; --run-timeout PT1M",
        "target.topic; \"topic\": \"orders\"; --target-topic; --target-topic orders",
        "skip[1]; \"2026-12-24T18:00:00Z\"; --skip; --skip 2026-12-24T18:00:00Z",
        "headers.a b; \"a b\": \"text\"; --header; --header 'a b=text'",
      })
  void a_problem_names_the_flag_that_was_typed(
      String field, String example, String flag, String argument) {
    assertThat(DefinitionOptions.withFlag(new Problem(field, "is wrong", example)))
        .isEqualTo(new Problem(flag, "is wrong", argument));
  }

  @Test
  void a_warning_about_a_file_is_a_note() throws Exception {
    Topics topics = broker.topics("warned");
    Path file = Files.writeString(dir.resolve("quartz.json"), "{\"cron\":\"0 0 9 ? * 2-6\"}");
    BiFunction<String, Answer.Builder, Answer> warn =
        (id, answer) -> {
          answer.setWarnings(
              List.of(new Problem("cron", "may be Quartz", "\"dialect\":\"quartz\"")));
          return accept(id, answer);
        };
    try (FakeScheduler scheduler = new FakeScheduler(broker, topics, warn)) {
      CliRun run = broker.run(topics, "put", "a", "-f", file.toString());
      assertThat(run.exitCode()).isZero();
      assertThat(run.err())
          .isEqualTo("waterclock: cron: may be Quartz; for example \"dialect\":\"quartz\"\n");
      assertThat(scheduler.seen()).hasSize(1);
    }
  }

  @Test
  void delete_of_an_owner_deletes_all_that_it_has() throws Exception {
    Topics topics = broker.topics("owner");
    for (String id : List.of("a", "b", "c")) {
      String owner = id.equals("c") ? "other" : "acme";
      byte[] json = ("{\"every\":\"1h\",\"owner\":\"" + owner + "\"}").getBytes(UTF_8);
      broker.write(topics.schedules(), id, json);
    }
    assertThat(broker.run(topics, "delete", "--owner=acme", "--dry-run").lines())
        .containsExactly("a", "b");
    try (FakeScheduler scheduler =
        new FakeScheduler(
            broker,
            topics,
            (id, answer) ->
                answer.setVerdict(id.equals("a") ? Verdict.DELETED : Verdict.NOT_FOUND).build())) {
      CliRun run = broker.run(topics, "delete", "--owner=acme", "--yes");
      assertThat(run.err().lines())
          .containsExactly(
              "waterclock: delete 2 schedules: a, b", "waterclock: delete: 2 of 2 done");
      assertThat(run.exitCode()).isZero();
      assertThat(run.lines())
          .containsExactlyInAnyOrder("a deleted", "b deleted; it was never accepted");
      assertThat(scheduler.seen())
          .extracting(record -> new String(record.key(), UTF_8))
          .containsExactlyInAnyOrder("a", "b");
      assertThat(broker.run(topics, "delete", "--owner=acme", "--yes").err())
          .isEqualToIgnoringNewLines("waterclock: no schedule to delete matches.");
    }
    CliRun declined = broker.run(topics, "delete", "--owner=other");
    assertThat(declined.exitCode()).isEqualTo(1);
    assertThat(declined.err()).contains("delete 1 schedule: c [y/N]", "Nothing was changed.");
    assertThat(broker.run(topics, "delete").exitCode()).isEqualTo(2);
    assertThat(broker.run(topics, "delete", "a", "--owner=acme").exitCode()).isEqualTo(2);
    assertThat(broker.run(topics, "delete", "a", "--dry-run").exitCode()).isEqualTo(2);
    assertThat(broker.run(topics, "delete", "--owner=").exitCode()).isEqualTo(2);
  }

  @Test
  void delete_of_an_owner_names_schedules_with_an_unknown_owner_and_leaves_them_unchanged()
      throws Exception {
    Topics topics = broker.topics("unsure");
    rejected(topics, "edit/adds", "{\"every\":\"1h\",\"owner\":\"acme\"}");
    rejected(topics, "edit/drops", "{\"every\":\"1h\"}");
    String json = "{\"every\":\"1h\",\"owner\":\"acme\"}";
    broker.write(topics.schedules(), "owned", json.getBytes(UTF_8));
    CliRun dry = broker.run(topics, "delete", "--owner=acme", "--dry-run");
    assertThat(dry.lines()).containsExactly("owned");
    assertThat(dry.exitCode()).isEqualTo(1);
    try (FakeScheduler scheduler =
        new FakeScheduler(
            broker, topics, (id, answer) -> answer.setVerdict(Verdict.DELETED).build())) {
      CliRun run = broker.run(topics, "delete", "--owner=acme", "--yes");
      assertThat(run.lines()).containsExactly("owned deleted");
      assertThat(run.err().lines())
          .containsExactly(
              "waterclock: edit/adds is unchanged, because its definition is unknown: the topics no"
                  + " longer retain it, and no instance answers for it.",
              "waterclock: edit/drops is unchanged, because its definition is unknown: the topics"
                  + " no longer retain it, and no instance answers for it.",
              "waterclock: delete 1 schedule: owned",
              "waterclock: delete: 1 of 1 done");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(scheduler.seen()).hasSize(1);
      assertThat(broker.run(topics, "delete", "--owner=acme", "--yes").exitCode()).isEqualTo(1);
    }
  }

  /** Writes an edit of a schedule whose definition in force the topics no longer retain. */
  private static void rejected(Topics topics, String id, String json) throws Exception {
    String edit = broker.write(topics.schedules(), id, json.getBytes(UTF_8));
    ScheduleStatus status =
        ScheduleStatus.newBuilder()
            .setScheduleId(id)
            .setState(State.ACTIVE)
            .setSince(CliRun.NOW)
            .setRevision("not-retained@0")
            .setRejectedRevision(edit)
            .build();
    broker.write(topics.status(), id, RecordCodecs.status().encode(status, WireFormat.AVRO));
  }

  @Test
  void delete_writes_a_tombstone() throws Exception {
    Topics topics = broker.topics("deleted");
    try (FakeScheduler scheduler =
        new FakeScheduler(
            broker,
            topics,
            (id, answer) ->
                answer.setVerdict(id.equals("a") ? Verdict.DELETED : Verdict.NOT_FOUND).build())) {
      CliRun found = broker.run(topics, "delete", "a");
      assertThat(found.out()).isEqualToIgnoringNewLines("a deleted");
      assertThat(found.exitCode()).isZero();
      assertThat(scheduler.seen().get(0).value()).isNull();
      CliRun missing = broker.run(topics, "delete", "b");
      assertThat(missing.err()).contains("There is no schedule b");
      assertThat(missing.exitCode()).isEqualTo(1);
    }
  }

  @Test
  void no_answer_is_one_sentence_after_the_timeout() throws Exception {
    Topics topics = broker.topics("silent");
    CliRun run = broker.run(topics, "put", "a", "--every=5m", "--timeout=300ms");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .contains("no scheduler answered within 300 ms", "prefix silent");
  }

  @ParameterizedTest
  @ValueSource(strings = {"put a --every=5m", "delete a", "pause a", "get a", "list", "fires"})
  void topics_that_do_not_exist_are_one_sentence(String command) {
    CliRun run = broker.run(new Topics("nobody"), command.split(" "));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .contains("The topic nobody.", "does not exist");
  }

  @ParameterizedTest
  @Tag("all")
  @ValueSource(strings = {"put a --every=5m", "fires --follow"})
  @Timeout(600)
  void a_broker_that_is_away_is_one_sentence_within_seconds(String command) {
    CliRun run = CliRun.of((command + " --bootstrap-server 127.0.0.1:1").split(" "));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .contains("No Kafka broker answered at 127.0.0.1:1 within 5 s: 127.0.0.1:1 refuses");
  }

  @ParameterizedTest
  @Tag("all")
  @CsvSource({
    "1500, No Kafka broker answered at 127.0.0.1:1 within 1500 ms",
    "2000, No Kafka broker answered at 127.0.0.1:1 within 2 s",
    "soon, Invalid value soon for configuration default.api.timeout.ms",
    "0, Invalid value 0 for configuration default.api.timeout.ms"
  })
  void a_setting_says_how_long_a_broker_may_take(String given, String error) {
    String command = "put a --every=5m --bootstrap-server 127.0.0.1:1 --property %s=%s";
    CliRun run = CliRun.of(command.formatted("default.api.timeout.ms", given).split(" "));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines()).singleElement().asString().contains(error);
  }

  @Test
  void an_invalid_address_is_one_sentence() {
    CliRun run = CliRun.of("list", "--bootstrap-server", "nonsense");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines()).singleElement().asString().contains("nonsense");
  }

  @Test
  void a_definition_comes_from_a_file_or_from_flags() {
    assertThat(CliRun.of("put", "a").exitCode()).isEqualTo(2);
    assertThat(CliRun.of("put", "a", "--file=-", "--every=5m").exitCode()).isEqualTo(2);
    assertThat(CliRun.of("put", "--every=5m").exitCode()).isEqualTo(2);
    assertThat(CliRun.of("put", "a", "--every=5m", "--timeout=soon").err())
        .contains("--timeout", "\"soon\" is not a duration")
        .doesNotContain("\tat ");
  }

  @Test
  void an_invalid_file_is_rejected_before_anything_is_sent() {
    assertThat(CliRun.withInput("", "put", "a", "--file=-").err()).contains("is empty");
    assertThat(CliRun.withInput("[1, 2]", "put", "a", "--file=-").err()).contains("neither a JSON");
    assertThat(CliRun.withInput("cron: * * * * *", "put", "a", "--file=-").err())
        .contains("is not YAML", "line 1", "quote values");
    assertThat(CliRun.withInput("every: 5m\n---\nevery: 6m\n", "put", "a", "--file=-").err())
        .contains("has 2 definitions", "'waterclock apply' writes all");
    assertThat(CliRun.of("put", "a", "--file=/no/where").err()).contains("There is no file");
  }

  private static Answer accept(String id, Answer.Builder answer) {
    return answer
        .setVerdict(Verdict.ACCEPTED)
        .setRevision("x.schedules-0@7")
        .setNext(Instant.parse("2026-11-21T10:05:00Z"))
        .build();
  }
}
