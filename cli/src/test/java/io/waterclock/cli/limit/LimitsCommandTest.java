package io.waterclock.cli.limit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.cli.cluster.FakeScheduler;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class LimitsCommandTest {
  @TempDir static Path dir;
  @RegisterExtension static final Broker broker = new Broker();

  private static final Instant NOW = CliRun.NOW;

  private static Topics topics(String prefix) throws Exception {
    Topics topics = broker.topics(prefix);
    List<String> names = List.of(topics.limits(), topics.waiting());
    try (Admin admin = Admin.create(broker.clients())) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topics.limits(), 1, (short) 1),
                  new NewTopic(topics.waiting(), Broker.PARTITIONS, (short) 1)))
          .all()
          .get();
      await().until(() -> admin.listTopics().names().get().containsAll(names));
    }
    return topics;
  }

  private static FireKey key(String schedule, int hoursAgo) {
    return FireKey.of(new ScheduleId(schedule), NOW.minus(Duration.ofHours(hoursAgo)));
  }

  private static byte[] fire(FireKey key) {
    Fire fire =
        Fire.newBuilder()
            .setFireId("f")
            .setScheduleId(key.schedule().value())
            .setOccurrence(key.occurrence())
            .setDue(key.occurrence())
            .setFiredAt(key.occurrence())
            .setCause(Cause.SCHEDULED)
            .setRevision("r@1")
            .setNext(key.occurrence().plus(Duration.ofHours(1)))
            .setSchedule(
                RecordCodecs.schedule()
                    .decode("{\"every\":\"1h\",\"limit\":\"etl\"}".getBytes(UTF_8)))
            .build();
    return RecordCodecs.fire().encode(fire, WireFormat.AVRO);
  }

  private static void waits(Topics topics, FireKey key) throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topics.waiting(), key.bytes(), fire(key));
    new WaitingNote.Fire(
            0,
            key.occurrence().toEpochMilli(),
            new WaitingNote.Terms(
                Optional.empty(), Optional.of(Duration.ofMinutes(30)), WaitingNote.Role.OCCURRENCE),
            Optional.empty())
        .addTo(record.headers(), new LimitName("etl"));
    broker.write(record);
  }

  @Test
  void a_limit_is_put_listed_with_what_it_holds_back_paused_and_deleted() throws Exception {
    Topics topics = topics("limits");
    assertThat(broker.run(topics, "limits", "put", "etl", "--max-running", "1").out())
        .isEqualToIgnoringNewLines("etl created: 1 at a time");
    waits(topics, key("import/a", 3));
    waits(topics, key("import/b", 2));
    waits(topics, key("import/c", 1));
    broker.write(topics.fires(), key("import/a", 3).text(), fire(key("import/a", 3)));
    assertThat(broker.run(topics, "limits", "list").lines())
        .containsExactly(
            "NAME  LIMIT        NOW   RUNNING  WAITING  OLDEST                DESCRIPTION",
            "etl   1 at a time  open  1        2        %s  -"
                .formatted(key("import/b", 2).occurrence()),
            "1 limit");
    JsonNode json =
        new ObjectMapper().readTree(broker.run(topics, "limits", "list", "--json").out());
    assertThat(json.path("limit").path("max_running").asInt()).isEqualTo(1);
    assertThat(json.path("now").path("oldest").path("schedule").asText()).isEqualTo("import/b");
    assertThat(json.path("now").path("waiting").asLong()).isEqualTo(2);

    CliRun paused = broker.run(topics, "limits", "pause", "etl", "--note", "their release");
    assertThat(paused.out()).contains("etl paused: 1 at a time, paused");
    assertThat(broker.run(topics, "limits", "put", "etl", "--per-second", "5").out())
        .as("a pause stays")
        .isEqualToIgnoringNewLines("etl changed: 5 a second, paused");
    CliRun doctor = broker.run(topics, "doctor");
    assertThat(doctor.out())
        .contains("PAUSED limit etl: It is paused by ", "(their release)", "2 fires wait")
        .contains("WRONG  limit etl: 2 schedules, such as import/b, wait for longer")
        .contains("1 fires with a limit run, 2 wait.");
    assertThat(broker.run(topics, "limits", "resume", "etl").out())
        .isEqualToIgnoringNewLines("etl resumed: 5 a second");

    broker.write(
        topics.schedules(), "import/a", "{\"every\":\"1h\",\"limit\":\"etl\"}".getBytes(UTF_8));
    CliRun deleted = broker.run(topics, "limits", "delete", "etl");
    assertThat(deleted.out()).isEqualToIgnoringNewLines("etl deleted");
    assertThat(deleted.err()).contains("1 schedule names it and has no limit now");
    assertThat(broker.run(topics, "limits", "get", "etl").err()).contains("There is no limit etl.");
  }

  /** A misspelt limit bounds nothing. */
  @Test
  void put_says_that_there_is_no_limit_of_that_name() throws Exception {
    Topics topics = topics("limits-unknown");
    Topics without = broker.topics("limits-none");
    broker.run(topics, "limits", "put", "etl", "--max-running", "1");
    String file = Files.writeString(dir.resolve("a.yaml"), "every: 1h\nlimit: ten\n").toString();
    BiFunction<String, Answer.Builder, Answer> accept =
        (id, answer) -> answer.setVerdict(Verdict.ACCEPTED).setRevision("r@1").build();
    try (FakeScheduler scheduler = new FakeScheduler(broker, topics, accept);
        FakeScheduler other = new FakeScheduler(broker, without, accept)) {
      assertThat(broker.run(topics, "put", "a", "--every=1h", "--limit", "elt").err())
          .isEqualToIgnoringNewLines(
              "waterclock: there is no limit elt: until waterclock limits put defines it, it"
                  + " bounds nothing.");
      assertThat(broker.run(topics, "put", "a", "--file", file).err()).contains("no limit ten:");
      assertThat(broker.run(topics, "put", "a", "--every=1h", "--limit", "etl").err()).isEmpty();
      assertThat(broker.run(topics, "put", "a", "--every=1h").err()).isEmpty();
      assertThat(broker.run(without, "put", "a", "--every=1h", "--limit", "elt").err()).isEmpty();
      assertThat(scheduler.seen()).hasSize(4);
      assertThat(other.seen()).hasSize(1);
    }
  }

  @Test
  void a_put_names_the_fields_that_it_removes() throws Exception {
    Topics topics = topics("limits-removed");
    String file =
        Files.writeString(
                dir.resolve("etl.yaml"),
                "max_running: 4\nper_second: 9\nclosed: [{cron: \"0 22 * * *\", duration: 1h}]\n")
            .toString();
    CliRun created = broker.run(topics, "limits", "put", "etl", "--file", file);
    assertThat(created.err()).isEmpty();
    CliRun changed = broker.run(topics, "limits", "put", "etl", "--max-running", "2");
    assertThat(changed.out()).isEqualToIgnoringNewLines("etl changed: 2 at a time");
    assertThat(changed.err())
        .contains("removed, as put replaces the whole limit: closed: [", "\"0 22 * * *\"")
        .contains("per_second: 9");
    assertThat(broker.run(topics, "limits", "put", "etl", "--max-running", "3").err()).isEmpty();
  }

  @Test
  void what_breaks_a_rule_is_refused_and_nothing_is_written() throws Exception {
    Topics topics = topics("limits-refused");
    String file =
        Files.writeString(
                dir.resolve("bad.yaml"), "max_running: 0\nclosed: [{cron: \"61 * * * *\"}]\n")
            .toString();
    CliRun refused = broker.run(topics, "limits", "put", "etl", "--file", file);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("etl was refused: ");
    assertThat(broker.run(topics, "limits", "put", "a b", "--max-running", "1").err())
        .contains("The name is invalid: ");
    assertThat(broker.run(topics, "limits", "list").lines()).contains("0 limits");
  }

  @Test
  void files_define_limits_and_an_export_has_them_without_their_pauses() throws Exception {
    Topics topics = topics("limits-files");
    assertThat(
            broker
                .run(topics, "limits", "put", "old", "--per-second", "50", "--description", "calls")
                .exitCode())
        .isZero();
    assertThat(broker.run(topics, "limits", "list").out()).contains("50 a second", "calls");
    assertThat(broker.run(topics, "limits", "pause", "old").exitCode()).isZero();
    String file =
        Files.writeString(
                dir.resolve("limits.yaml"),
                "limit: etl\nmax_running: 4\n---\nlimit: old\nper_second: 60\n")
            .toString();
    CliRun applied = broker.run(topics, "apply", file, "--yes");
    assertThat(applied.out())
        .contains("+ limit etl", "~ limit old", "per_second: 50 -> 60")
        .contains("1 added, 1 changed, 0 removed, 0 unchanged");
    assertThat(broker.run(topics, "apply", file, "--yes").out()).contains("2 unchanged");
    assertThat(broker.run(topics, "limits", "list").out()).contains("paused by");
    Path folder = dir.resolve("code");
    CliRun exported = broker.run(topics, "export", "--as-code", folder.toString());
    assertThat(exported.err()).contains("exported 0 schedules, 0 calendars, 2 limits");
    assertThat(Files.readString(folder.resolve("limits.yaml")))
        .contains("limit: etl", "max_running: 4", "limit: old")
        .doesNotContain("paused");
    assertThat(broker.run(topics, "apply", folder.toString(), "--dry-run").exitCode()).isZero();
  }
}
