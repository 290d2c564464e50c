package io.waterclock.cli.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.cli.live.Watermarks;
import io.waterclock.client.topics.Partitions;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.Fault;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OverdueExpectation;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class ReadingCommandsTest {
  private static final Instant BEFORE = CliRun.NOW.minusSeconds(3600);

  @RegisterExtension static final Broker broker = new Broker();

  @Test
  void list_shows_state_trigger_zone_and_next_occurrence() throws Exception {
    Topics topics = broker.topics("list");
    accepted(
        topics, "daily", "{\"cron\":\"0 9 * * *\",\"timezone\":\"Europe/Berlin\"}", State.ACTIVE);
    accepted(
        topics, "paused", "{\"every\":\"5m\",\"anchor\":\"2026-01-01T00:00:00Z\"}", State.PAUSED);
    broker.write(topics.schedules(), "fresh", "{\"every\":\"1h\"}".getBytes(UTF_8));
    accepted(topics, "gone", "{\"every\":\"1h\"}", State.ACTIVE);
    broker.write(topics.schedules(), "gone", null);
    broker.write(topics.status(), "gone", null);
    CliRun run = broker.run(topics, "list");
    assertThat(run.exitCode()).isZero();
    assertThat(run.lines())
        .containsExactly(
            "ID      STATE      TRIGGER         ZONE           LAST  NEXT",
            "daily   ACTIVE     cron 0 9 * * *  Europe/Berlin  -     2026-11-22T08:00:00Z",
            "fresh   (pending)  every 1h        UTC            -     -",
            "paused  PAUSED     every 5m        UTC            -     -",
            "3 schedules");
  }

  @Test
  void diff_compares_files_with_the_schedules_and_calendars_of_the_cluster(@TempDir Path folder)
      throws Exception {
    Topics topics = broker.topics("diff");
    accepted(topics, "a", "{\"cron\":\"0 9 * * *\",\"timezone\":\"Europe/Berlin\"}", State.ACTIVE);
    accepted(topics, "b", "{\"cron\":\"0 9 * * *\",\"except\":[\"h\"]}", State.ACTIVE);
    accepted(topics, "c", "{\"cron\":\"0 9 * * *\",\"except\":[\"h\"]}", State.PAUSED);
    accepted(topics, "d", "{\"every\":\"1h\"}", State.ACTIVE);
    calendar(topics, "h", "{\"dates\":[\"2026-11-22\"]}");
    Path file = folder.resolve("change.yaml");
    Files.writeString(
        file,
        """
        schedule: a
        cron: "0 10 * * *"
        timezone: Europe/Berlin
        ---
        calendar: h
        dates: [2026-11-22/2026-11-23]
        """);

    CliRun run = broker.run(topics, "diff", file.toString(), "--days", "3");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.lines())
        .containsExactly(
            "SCHEDULE  CHANGE   BEFORE                AFTER",
            "a         moved    2026-11-22T08:00:00Z  2026-11-22T09:00:00Z",
            "a         moved    2026-11-23T08:00:00Z  2026-11-23T09:00:00Z",
            "a         moved    2026-11-24T08:00:00Z  2026-11-24T09:00:00Z",
            "b         removed  2026-11-23T09:00:00Z  -",
            "2 of 4 schedules differ from 2026-11-21T10:00:00Z to 2026-11-24T10:00:00Z: occurrences"
                + " added 0, removed 1, moved 3");
  }

  @Test
  void list_shows_the_last_fire_among_the_records_that_it_searches() throws Exception {
    Topics topics = broker.topics("depth");
    accepted(topics, "a", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    accepted(topics, "b", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    assertThat(lastFire(topics, "a")).isEqualTo("null null");
    fired(topics, "a", BEFORE.minusSeconds(60));
    fired(topics, "a", BEFORE);
    assertThat(lastFire(topics, "a")).isEqualTo(BEFORE + " null");
    assertThat(lastFire(topics, "b")).isEqualTo("null null");

    int home = home(topics, "a");
    for (int second = 1; second <= 3; second++) {
      fired(topics, home, "other", BEFORE.plusSeconds(second));
    }
    assertThat(lastFire(topics, "a", "--depth", "3")).isEqualTo("null " + BEFORE.plusSeconds(1));
    assertThat(broker.run(topics, "list", "--depth", "3").lines().get(1))
        .contains("  not since " + BEFORE.plusSeconds(1) + "  ");
    assertThat(lastFire(topics, "a", "--depth", "4")).isEqualTo(BEFORE + " null");
    assertThat(broker.run(topics, "list", "--depth", "0").exitCode()).isEqualTo(2);
  }

  private static String lastFire(Topics topics, String id, String... more) throws Exception {
    List<String> args = new ArrayList<>(List.of("list", "--json", "--starts-with", id));
    args.addAll(List.of(more));
    JsonNode tree =
        new ObjectMapper().readTree(broker.run(topics, args.toArray(String[]::new)).out());
    return tree.path("last_fired_at").asText("null")
        + " "
        + tree.path("not_fired_since").asText("null");
  }

  private static int home(Topics topics, String id) {
    List<TopicPartition> partitions =
        IntStream.range(0, Broker.PARTITIONS)
            .mapToObj(number -> new TopicPartition(topics.fires(), number))
            .toList();
    return Partitions.home(id, partitions).partition();
  }

  private static void fired(Topics topics, String id, Instant at) throws Exception {
    fired(topics, home(topics, id), id, at);
  }

  private static void fired(Topics topics, int partition, String id, Instant at) throws Exception {
    byte[] key = FireKey.of(ScheduleId.parse(id), at).bytes();
    broker.write(
        new ProducerRecord<>(topics.fires(), partition, at.toEpochMilli(), key, new byte[] {1}));
  }

  @Test
  void list_does_not_take_the_trace_of_a_stray_for_a_delete() throws Exception {
    Topics topics = broker.topics("moved");
    String revision = accepted(topics, "a", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    int home =
        Integer.parseInt(revision.substring(revision.lastIndexOf('-') + 1, revision.indexOf('@')));
    for (int partition = 0; partition < Broker.PARTITIONS; partition++) {
      if (partition != home) {
        broker.write(
            new ProducerRecord<>(
                topics.schedules(), partition, "a".getBytes(UTF_8), (byte[]) null));
      }
    }
    assertThat(broker.run(topics, "list").lines().get(1)).startsWith("a   ACTIVE  cron 0 9 * * *");
  }

  @Test
  void list_shows_why_a_record_was_rejected_and_the_definition_in_force() throws Exception {
    Topics topics = broker.topics("reject");
    String revision = accepted(topics, "a", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    String refused = broker.write(topics.schedules(), "a", new byte[] {1, 2, 3});
    status(
        topics,
        ScheduleStatus.newBuilder()
            .setScheduleId("a")
            .setState(State.ACTIVE)
            .setSince(BEFORE)
            .setRevision(revision)
            .setRejectedRevision(refused)
            .setProblems(List.of(new Problem("", "it cannot be read", null))));
    CliRun run = broker.run(topics, "list");
    assertThat(run.lines().get(1))
        .isEqualTo("a   ACTIVE  cron 0 9 * * *  UTC   -     2026-11-22T09:00:00Z");
    assertThat(run.lines().get(2)).isEqualTo("  rejected: it cannot be read");
    accepted(topics, "b", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    assertThat(broker.run(topics, "list", "--state", "REJECTED").lines())
        .isEqualTo(
            List.of(run.lines().get(0), run.lines().get(1), run.lines().get(2), "1 schedule"));
  }

  @Test
  void list_shows_ids_without_an_accepted_definition_only_on_request() throws Exception {
    Topics topics = broker.topics("never");
    accepted(topics, "good", "{\"every\":\"1h\",\"owner\":\"acme\"}", State.ACTIVE);
    String misspelt =
        broker.write(topics.schedules(), "misspelt", "{\"evry\":\"1h\"}".getBytes(UTF_8));
    status(
        topics,
        ScheduleStatus.newBuilder()
            .setScheduleId("misspelt")
            .setState(State.REJECTED)
            .setSince(BEFORE)
            .setRejectedRevision(misspelt)
            .setProblems(List.of(new Problem("evry", "no such field", null))));

    CliRun plain = broker.run(topics, "list");
    assertThat(plain.lines()).hasSize(3).last().isEqualTo("1 schedule");
    assertThat(plain.err())
        .isEqualToIgnoringNewLines(
            "waterclock: 1 id has no accepted definition; --state REJECTED lists what was"
                + " rejected");
    assertThat(broker.run(topics, "list", "--owner=acme").err()).isEmpty();
    broker.write(topics.schedules(), "bad id", "{\"every\":\"1h\"}".getBytes(UTF_8));
    assertThat(broker.run(topics, "list").err()).contains("2 ids have no accepted definition");
    assertThat(broker.run(topics, "list", "--state=REJECTED").out()).contains("bad id    REJECTED");
    broker.write(topics.schedules(), "bad id", null);
    CliRun asked = broker.run(topics, "list", "--state=REJECTED");
    assertThat(asked.lines().get(1)).startsWith("misspelt  REJECTED  (rejected)  UTC");
    assertThat(asked.lines().get(2)).isEqualTo("  rejected: evry: no such field");
    assertThat(asked.err()).isEmpty();

    CliRun json = broker.run(topics, "list", "--json");
    assertThat(json.lines()).hasSize(1);
    JsonNode tree = new ObjectMapper().readTree(json.out());
    assertThat(tree.path("state").asText()).isEqualTo("ACTIVE");
    assertThat(tree.path("owner").asText()).isEqualTo("acme");
  }

  @Test
  void list_and_get_mark_a_definition_that_may_not_be_the_one_in_force() throws Exception {
    Topics topics = broker.topics("doubt");
    String edit = broker.write(topics.schedules(), "a", "{\"cron\":\"0 9 * * *\"}".getBytes(UTF_8));
    status(topics, active("a", "not-retained@0").setRejectedRevision(edit));
    accepted(topics, "b", "{\"cron\":\"0 9 * * *\",\"owner\":\"acme\"}", State.ACTIVE);
    CliRun all = broker.run(topics, "list");
    assertThat(all.lines().get(1)).startsWith("a   ACTIVE  cron 0 9 * * * (unsure)  UTC");
    assertThat(all.lines().get(2)).startsWith("b   ACTIVE  cron 0 9 * * *           UTC");
    assertThat(all.err()).contains("waterclock: (unsure) marks the newest record;");
    assertThat(broker.run(topics, "get", "a").out()).contains("unsure    the newest record");
    assertThat(broker.run(topics, "get", "b").out()).doesNotContain("unsure");
    CliRun owned = broker.run(topics, "list", "--owner=acme", "--json");
    assertThat(owned.lines()).hasSize(1);
    assertThat(owned.out()).doesNotContain("definition_unsure");
    assertThat(owned.err()).contains("waterclock: 1 more do not match by their newest record, but");
    assertThat(broker.run(topics, "list", "--starts-with=a", "--json").out())
        .contains("\"definition_unsure\":true");
  }

  @Test
  void the_grid_of_a_trigger_without_anchor_is_the_one_that_was_accepted() throws Exception {
    Topics topics = broker.topics("grid");
    String revision = accepted(topics, "a", "{\"every\":\"1h\"}", State.ACTIVE);
    revision(topics, "a", "{\"every\":\"1h\"}", revision, Instant.parse("2026-11-21T08:17:00Z"));
    assertThat(broker.run(topics, "list").lines().get(1)).endsWith("2026-11-21T10:17:00Z");
  }

  @Test
  void without_the_revision_such_a_grid_is_unknown_and_not_guessed() throws Exception {
    Topics topics = broker.topics("guess");
    String position = broker.write(topics.schedules(), "a", "{\"every\":\"1h\"}".getBytes(UTF_8));
    status(topics, active("a", position));
    assertThat(broker.run(topics, "list").lines().get(1)).endsWith("?");
  }

  @Test
  void get_shows_definition_state_and_the_next_five() throws Exception {
    Topics topics = broker.topics("get");
    String json =
        "{\"cron\":\"0 9 * * *\",\"skip\":[\"2026-11-23T09:00:00Z\"],\"payload\":{\"n\":1}}";
    String revision = accepted(topics, "a", json, State.ACTIVE);
    accepted(topics, "b", "{\"cron\":\"0 1 * * *\"}", State.ACTIVE);
    CliRun run = broker.run(topics, "get", "a");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains(
            "id        a",
            "state     ACTIVE",
            "revision  " + revision,
            "next      2026-11-22T09:00:00Z, 2026-11-24T09:00:00Z, 2026-11-25T09:00:00Z,"
                + " 2026-11-26T09:00:00Z, 2026-11-27T09:00:00Z",
            "\"cron\" : \"0 9 * * *\"");
    JsonNode tree = new ObjectMapper().readTree(broker.run(topics, "get", "a", "--json").out());
    assertThat(tree.at("/definition/payload/n").asInt()).isEqualTo(1);
    assertThat(tree.at("/status/revision").asText()).isEqualTo(revision);
    assertThat(tree.get("next")).hasSize(5);
    CliRun more = broker.run(topics, "get", "a", "--next", "7", "--json");
    assertThat(new ObjectMapper().readTree(more.out()).get("next")).hasSize(7);
    assertThat(broker.run(topics, "get", "a", "--next", "1").out())
        .contains("next      2026-11-22T09:00:00Z\n");
    assertThat(broker.run(topics, "get", "a", "--next", "0").exitCode()).isEqualTo(2);
  }

  @Test
  void excluded_occurrences_are_skipped_or_moved() throws Exception {
    Topics topics = broker.topics("calendars");
    calendar(topics, "weekends", "{\"weekdays\":[\"SAT\",\"SUN\"]}");
    calendar(topics, "workdays", "{\"weekdays\":[\"MON\",\"TUE\",\"WED\",\"THU\",\"FRI\"]}");
    calendar(topics, "weekends", "{\"weekdays\":[\"NOT A DAY\"]}");
    String daily = "\"cron\":\"0 9 * * *\",\"except\":";
    accepted(topics, "a", "{" + daily + "[\"weekends\"]}", State.ACTIVE);
    accepted(topics, "b", "{" + daily + "[\"weekends\",\"workdays\"]}", State.ACTIVE);
    accepted(
        topics,
        "c",
        "{\"cron\":\"0 9 22 * *\",\"except\":[\"weekends\"],\"on_excluded\":\"NEXT_WORKING_DAY\"}",
        State.ACTIVE);
    List<String> lines = broker.run(topics, "list").lines();
    assertThat(lines.get(1)).startsWith("a ").endsWith("2026-11-23T09:00:00Z");
    assertThat(lines.get(2)).startsWith("b ").endsWith(" -");
    assertThat(lines.get(3)).startsWith("c ").endsWith("2026-11-23T09:00:00Z");
    assertThat(broker.run(topics, "get", "a").out())
        .contains("2026-11-26T09:00:00Z, 2026-11-27T09:00:00Z")
        .doesNotContain("2026-11-28");
  }

  @Test
  void get_shows_the_effects_of_commands() throws Exception {
    Topics topics = broker.topics("orders");
    String revision = accepted(topics, "a", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    Instant tomorrow = Instant.parse("2026-11-22T09:00:00Z");
    status(
        topics,
        active("a", revision)
            .setSkips(List.of(tomorrow))
            .setBackfills(
                List.of(
                    RunningBackfill.newBuilder()
                        .setCommandId("c-1")
                        .setFrom(BEFORE)
                        .setTo(CliRun.NOW)
                        .setFiredThrough(BEFORE)
                        .setFired(3)
                        .build())));
    CliRun active = broker.run(topics, "get", "a");
    assertThat(active.out())
        .contains(
            "skipped   2026-11-22T09:00:00Z",
            "backfill  from " + BEFORE + " to 2026-11-21T10:00:00Z, 3 fired, command c-1",
            "next      2026-11-23T09:00:00Z, ");
    CommandedPause pause = new CommandedPause(CliRun.NOW, "deploying 4.2", "ann");
    status(topics, active("a", revision).setState(State.PAUSED).setPause(pause));
    CliRun paused = broker.run(topics, "get", "a");
    assertThat(paused.out())
        .contains(
            "state     PAUSED",
            "paused    by ann since 2026-11-21T10:00:00Z: deploying 4.2",
            "next      -");
  }

  @Test
  void get_of_nothing_fails_in_one_sentence() throws Exception {
    CliRun run = broker.run(broker.topics("nothing"), "get", "a");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualToIgnoringNewLines("waterclock: There is no schedule a.");
  }

  @Test
  void get_shows_the_last_fires() throws Exception {
    Topics topics = broker.topics("last");
    String revision = accepted(topics, "a", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    for (int i = 0; i < 12; i++) {
      transact(topics, "a", revision, BEFORE.plusSeconds(60L * i), true);
    }
    List<String> fired =
        broker.run(topics, "get", "a").lines().stream().filter(l -> l.startsWith("fired")).toList();
    assertThat(fired).hasSize(10);
    assertThat(fired.get(9))
        .isEqualTo("fired     2026-11-21T09:11:00.005Z  2026-11-21T09:11:00Z  SCHEDULED  +5 ms");
    JsonNode tree = new ObjectMapper().readTree(broker.run(topics, "get", "a", "--json").out());
    assertThat(tree.get("fires")).hasSize(10);
  }

  @Test
  void list_shows_the_schedules_that_match() throws Exception {
    Topics topics = broker.topics("filter");
    String owned =
        "{\"cron\":\"0 9 * * *\",\"owner\":\"acme\",\"labels\":{\"tier\":\"gold\",\"x\":\"y\"}}";
    accepted(topics, "jobs/a", owned, State.ACTIVE);
    accepted(topics, "jobs/b", "{\"cron\":\"0 9 * * *\",\"owner\":\"acme\"}", State.PAUSED);
    accepted(topics, "other", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    assertThat(ids(topics)).containsExactly("jobs/a", "jobs/b", "other");
    assertThat(ids(topics, "--owner=acme")).containsExactly("jobs/a", "jobs/b");
    assertThat(ids(topics, "--label", "tier=gold", "--label=x=y")).containsExactly("jobs/a");
    assertThat(ids(topics, "--label=tier=silver")).isEmpty();
    assertThat(ids(topics, "--starts-with=jobs/", "--state=paused")).containsExactly("jobs/b");
    assertThat(ids(topics, "--state=active,paused")).hasSize(3);
    assertThat(broker.run(topics, "list", "--state", "asleep").exitCode()).isEqualTo(2);
  }

  private static List<String> ids(Topics topics, String... filter) throws Exception {
    String[] args =
        Stream.concat(Stream.of("list", "--json"), Stream.of(filter)).toArray(String[]::new);
    List<String> ids = new ArrayList<>();
    for (String line : broker.run(topics, args).lines()) {
      ids.add(new ObjectMapper().readTree(line).get("id").asText());
    }
    return ids;
  }

  @Test
  void history_shows_the_events_of_a_schedule_in_order() throws Exception {
    Topics topics = broker.topics("history");
    String revision = accepted(topics, "a", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    transact(topics, "a", revision, BEFORE.plusSeconds(60), true);
    transact(topics, "ab", BEFORE.plusSeconds(61), true);
    transact(topics, "a", revision, BEFORE.plusSeconds(300), true);
    missed(topics, "a", BEFORE.plusSeconds(120), BEFORE.plusSeconds(240));
    CliRun run = broker.run(topics, "history", "a");
    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .containsExactly(
            "2026-11-21T09:00:00Z      ACCEPTED  cron 0 9 * * *  revision " + revision,
            "2026-11-21T09:01:00.005Z  FIRED     2026-11-21T09:01:00Z  SCHEDULED  +5 ms",
            "2026-11-21T09:04:01Z      MISSED    2026-11-21T09:02:00Z to 2026-11-21T09:04:00Z (3)"
                + "  GRACE",
            "2026-11-21T09:05:00.005Z  FIRED     2026-11-21T09:05:00Z  SCHEDULED  +5 ms");
    CliRun last = broker.run(topics, "history", "a", "--max=1", "--json");
    assertThat(last.lines()).hasSize(1);
    assertThat(last.out()).contains("\"kind\":\"FIRED\"", "\"schedule_id\":\"a\"");
    assertThat(last.err()).contains("3 older ones are not shown");
    CliRun part =
        broker.run(
            topics, "history", "a", "--from=2026-11-21T09:01:00Z", "--to=2026-11-21T09:05:00Z");
    assertThat(part.lines()).hasSize(2);
    CliRun none = broker.run(topics, "history", "none");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).contains("There is no schedule none");
    CliRun early = broker.run(topics, "history", "a", "--to=2026-11-21");
    assertThat(early.exitCode()).isZero();
    assertThat(early.err()).contains("the topics contain nothing about a in that time");
    assertThat(broker.run(topics, "history", "a", "--from=noon").exitCode()).isEqualTo(2);
    assertThat(broker.run(topics, "history", "a", "--from=57m").lines()).hasSize(2);
    assertThat(broker.run(topics, "history", "a", "--to=2026-11-21").lines()).isEmpty();
  }

  @Test
  void history_shows_each_rejection_once() throws Exception {
    Topics topics = broker.topics("rejections");
    ScheduleStatus.Builder refused =
        ScheduleStatus.newBuilder()
            .setScheduleId("a")
            .setState(State.REJECTED)
            .setSince(BEFORE)
            .setRejectedRevision("r@1")
            .setProblems(List.of(new Problem("cron", "61 is out of range", null)));
    status(topics, refused);
    status(topics, refused);
    status(topics, refused.setRejectedRevision("r@2"));
    assertThat(broker.run(topics, "history", "a").lines())
        .hasSize(2)
        .first()
        .asString()
        .endsWith("REJECTED  revision r@1: cron: 61 is out of range");
  }

  @Test
  void history_shows_commands_with_author_and_note() throws Exception {
    Topics topics = broker.topics("commanded");
    command(
        topics, "{\"command_id\":\"c-1\",\"pause\":{\"author\":\"ann\",\"note\":\"deploying\"}}");
    command(
        topics,
        "{\"command_id\":\"c-2\",\"author\":\"bob\",\"skip\":{\"occurrence\":\"2026-12-24T09:00:00Z\"}}");
    command(topics, "{\"command_id\":\"c-3\",\"next\":{}}");
    command(topics, "{\"command_id\":\"c-1\",\"resume\":{}}");
    assertThat(broker.run(topics, "history", "a").lines())
        .containsExactly(
            "2026-11-21T09:00:00Z      COMMAND   pause  ann  deploying  command c-1",
            "2026-11-21T09:00:00Z      COMMAND   skip  bob  2026-12-24T09:00:00Z  command c-2",
            "2026-11-21T09:00:00Z      COMMAND   resume  command c-1 (repeated)");
    assertThat(broker.run(topics, "history", "a", "--json").lines().get(0))
        .contains("\"kind\":\"COMMAND\"", "\"record\":{\"command_id\":\"c-1\",\"pause\":{");
  }

  private static void command(Topics topics, String json) throws Exception {
    broker.write(
        new ProducerRecord<>(
            topics.commands(),
            null,
            BEFORE.toEpochMilli(),
            "a".getBytes(UTF_8),
            json.getBytes(UTF_8)));
  }

  @Test
  void fires_says_why_it_shows_none() throws Exception {
    Topics topics = broker.topics("unfired");
    accepted(topics, "a", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    accepted(topics, "b", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    transact(topics, "b", BEFORE.plusSeconds(60), true);
    CliRun none = broker.run(topics, "fires", "--schedule", "a");
    assertThat(none.exitCode()).isZero();
    assertThat(none.err()).isEqualTo("waterclock: the topic contains no fire of a.\n");
    CliRun unknown = broker.run(topics, "fires", "--schedule", "c");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).isEqualTo("waterclock: There is no schedule c.\n");
    assertThat(broker.run(topics, "fires", "--from=2026-11-21T09:00:00Z").lines()).hasSize(1);
    assertThat(broker.run(topics, "fires", "--schedule=b", "--from=2100-01-01").err())
        .isEqualTo("waterclock: the topic contains no fire of b in that time.\n");
    assertThat(broker.run(topics, "fires", "--from=noon").exitCode()).isEqualTo(2);
  }

  private static void missed(Topics topics, String id, Instant first, Instant last)
      throws Exception {
    Missed missed =
        Missed.newBuilder()
            .setScheduleId(id)
            .setRevision("r")
            .setFirst(first)
            .setLast(last)
            .setCount(3)
            .setReason(MissedReason.GRACE)
            .setDecidedAt(last.plusSeconds(1))
            .build();
    broker.write(topics.missed(), id, RecordCodecs.missed().encode(missed, WireFormat.AVRO));
  }

  @Test
  void doctor_explains_why_a_schedule_does_not_fire() throws Exception {
    Topics topics = broker.topics("doctor");
    accepted(topics, "active", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    accepted(
        topics,
        "skipped",
        "{\"cron\":\"0 9 * * *\",\"skip\":[\"2026-11-22T09:00:00Z\"]}",
        State.ACTIVE);
    accepted(topics, "disabled", "{\"cron\":\"0 9 * * *\",\"enabled\":false}", State.PAUSED);
    String paused = accepted(topics, "paused", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    status(
        topics,
        active("paused", paused)
            .setState(State.PAUSED)
            .setPause(new CommandedPause(BEFORE, "deploying", "ann")));
    String faulted = accepted(topics, "faulted", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    status(topics, active("faulted", faulted).setState(State.FAULTED).setReason("no such zone"));
    broker.write(topics.schedules(), "fresh", "{\"every\":\"1h\"}".getBytes(UTF_8));
    assertThat(diagnosis(topics, "active"))
        .contains(
            "       active: It occurs next at 2026-11-22T09:00:00Z, and fires when its partition"
                + " has an owner.");
    assertThat(diagnosis(topics, "skipped"))
        .contains(
            "       skipped: It occurs next at 2026-11-23T09:00:00Z, and fires when its partition"
                + " has an owner.",
            "WRONG  skipped: It does not fire at 2026-11-22T09:00:00Z, which its trigger names: it"
                + " is skipped.");
    assertThat(diagnosis(topics, "disabled"))
        .contains(
            "PAUSED disabled: Its definition contains \"enabled\": false, since"
                + " 2026-11-21T09:00:00Z.");
    assertThat(diagnosis(topics, "paused"))
        .contains(
            "PAUSED paused: ann paused it at 2026-11-21T09:00:00Z: deploying. waterclock resume"
                + " paused ends the pause.");
    assertThat(diagnosis(topics, "faulted"))
        .contains(
            "WRONG  faulted: It is faulted: no such zone. Each watchdog pass tries it again.");
    assertThat(diagnosis(topics, "fresh"))
        .contains(
            "WRONG  fresh: No scheduler has accepted or rejected it yet: is one running? If so, its"
                + " record may wait for the schema registry.");
    assertThat(diagnosis(topics, "none")).contains("WRONG  none: There is no such schedule.");
  }

  @Test
  void reports_of_workers_are_shown() throws Exception {
    Topics topics = broker.topics("runs");
    String json = "{\"cron\":\"0 * * * *\",\"overlap\":\"skip\",\"timeout\":\"2h\"}";
    String revision = accepted(topics, "a", json, State.ACTIVE);
    FireKey key = FireKey.of(ScheduleId.parse("a"), CliRun.NOW.minusSeconds(600));
    Fire fire =
        Fire.newBuilder()
            .setFireId(FireIds.of(topics.ceSource()).of(key).toString())
            .setScheduleId("a")
            .setOccurrence(key.occurrence())
            .setDue(key.occurrence())
            .setFiredAt(key.occurrence())
            .setCause(Cause.SCHEDULED)
            .setRevision(revision)
            .setWantsOutcome(true)
            .setSchedule(RecordCodecs.schedule().decode(json.getBytes(UTF_8)))
            .build();
    int home =
        Integer.parseInt(revision.substring(revision.lastIndexOf('-') + 1, revision.indexOf('@')));
    broker.write(
        new ProducerRecord<>(
            topics.fires(), home, key.bytes(), RecordCodecs.fire().encode(fire, WireFormat.AVRO)));
    Watermark decided = Watermarks.idle(home, "one", CliRun.NOW).setTzdb(Tzdb.version()).build();
    broker.write(
        new ProducerRecord<>(
            topics.watermarks(),
            null,
            CliRun.NOW.toEpochMilli(),
            Integer.toString(home).getBytes(UTF_8),
            RecordCodecs.watermark().encode(decided, WireFormat.AVRO)));
    assertThat(broker.run(topics, "get", "a").out()).contains("SCHEDULED  +0 ms  (not reported)");
    assertThat(diagnosis(topics, "a"))
        .contains(
            "WRONG  a: The fire of 2026-11-21T09:50:00Z still runs: without a report it ends at"
                + " 2026-11-21T11:50:00Z. Occurrences that are due by then are missed (OVERLAP).",
            "       a: It occurs next at 2026-11-21T11:00:00Z, and fires if the run has ended by"
                + " then.");
    String report = "{\"fire_key\":\"" + key + "\",\"state\":\"%s\",\"error\":\"no disk\"}";
    broker.write(topics.outcomes(), "a", report.formatted("failed").getBytes(UTF_8));
    broker.write(topics.outcomes(), "a", report.formatted("started").getBytes(UTF_8));
    assertThat(broker.run(topics, "get", "a").out()).contains("SCHEDULED  +0 ms  failed: no disk");
    assertThat(broker.run(topics, "get", "a", "--json").out())
        .contains("\"outcome\":{\"fire_key\":\"" + key + "\",\"state\":\"FAILED\"");
    assertThat(broker.run(topics, "history", "a").out())
        .contains("REPORTED  failed: no disk  the fire " + key);
    assertThat(broker.run(topics, "doctor", "a").lines())
        .contains("       a: It fires next at 2026-11-21T11:00:00Z, in 1 h.")
        .noneMatch(line -> line.contains("still runs"));
    for (String command : List.of("get", "history")) {
      assertThat(broker.run(topics, command, "a").out()).doesNotContain("earlier definition");
      assertThat(broker.run(topics, command, "a", "--json").out()).doesNotContain("earlier_");
    }
    accepted(topics, "a", "{\"cron\":\"30 * * * *\"}", State.ACTIVE);
    for (String command : List.of("get", "history")) {
      assertThat(broker.run(topics, command, "a").out())
          .containsOnlyOnce("SCHEDULED  +0 ms  by an earlier definition");
      assertThat(broker.run(topics, command, "a", "--json").out())
          .containsOnlyOnce("\"earlier_definition\":true");
    }
  }

  @Test
  void get_names_what_is_overdue_and_doctor_when_an_occurrence_fires_with_its_jitter()
      throws Exception {
    Topics topics = broker.topics("overdue");
    accepted(topics, "a", "{\"cron\":\"0 10 * * *\",\"jitter\":\"1h\"}", State.ACTIVE);
    assertThat(diagnosis(topics, "a"))
        .anyMatch(line -> line.contains("a: It occurs next at 2026-11-21T10:"));
    String position = accepted(topics, "b", "{\"every\":\"1h\"}", State.ACTIVE);
    OverdueExpectation late =
        new OverdueExpectation(
            Expectation.SUCCEEDED_WITHIN, BEFORE, BEFORE.plusSeconds(60), Fault.NOT_REPORTED);
    status(topics, active("b", position).setOverdue(List.of(late)));
    assertThat(broker.run(topics, "get", "b").out())
        .contains("Its run of " + BEFORE + " has not succeeded, overdue since ")
        .contains("no worker has reported");
  }

  private static List<String> diagnosis(Topics topics, String id) {
    CliRun run = broker.run(topics, "doctor", id);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(1); // no scheduler runs
    return run.lines();
  }

  @Test
  void doctor_names_problems_of_topics() throws Exception {
    Topics topics = broker.topics("topics");
    CliRun run = broker.run(topics, "doctor");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .contains(
            "WRONG  topics: topic topics.calendars has 3 partitions, but needs 1: Kafka takes none"
                + " away: copy its records, kafka-topics.sh --delete --topic topics.calendars,"
                + " start again, and write them anew")
        .anyMatch(line -> line.contains("--add-config cleanup.policy=compact"));
    CliRun nothing = broker.run(new Topics("nothing-there"), "doctor");
    assertThat(nothing.exitCode()).isEqualTo(1);
  }

  @Test
  void fires_are_those_committed_and_then_it_ends() throws Exception {
    Topics topics = broker.topics("fires");
    transact(topics, "a", CliRun.NOW, true);
    transact(topics, "a", CliRun.NOW.plusSeconds(60), false);
    transact(topics, "b", CliRun.NOW.plusSeconds(120), true);
    CliRun run = broker.run(topics, "fires");
    assertThat(run.lines()).hasSize(2);
    assertThat(run.out())
        .contains("2026-11-21T10:00:00.005Z  a  2026-11-21T10:00:00Z  SCHEDULED  +5 ms")
        .contains("  b  2026-11-21T10:02:00Z  ")
        .doesNotContain("10:01:00Z");
    assertThat(broker.run(topics, "fires", "--schedule", "b").lines()).hasSize(1);
    assertThat(broker.run(topics, "fires", "--max", "1").lines()).hasSize(1);
    JsonNode fire =
        new ObjectMapper().readTree(broker.run(topics, "fires", "--schedule", "b", "--json").out());
    assertThat(fire.get("schedule_id").asText()).isEqualTo("b");
    assertThat(broker.run(topics, "fires", "--max", "0").exitCode()).isEqualTo(2);
  }

  @Test
  void follow_shows_what_comes_and_ends_after_max() throws Exception {
    Topics topics = broker.topics("follow");
    transact(topics, "a", CliRun.NOW, true);
    CompletableFuture<CliRun> run =
        CompletableFuture.supplyAsync(
            () -> broker.run(topics, "fires", "--follow", "--from-beginning", "--max", "2"));
    transact(topics, "b", CliRun.NOW, true);
    assertThat(run.get(240, TimeUnit.SECONDS).lines()).hasSize(2);
  }

  @Test
  void a_record_without_key_or_value_ends_no_command() throws Exception {
    Topics topics = broker.topics("keyless");
    accepted(topics, "a", "{\"every\":\"1h\"}", State.ACTIVE);
    transact(topics, "a", CliRun.NOW, true);
    for (String topic :
        List.of(
            topics.fires(),
            topics.missed(),
            topics.outcomes(),
            topics.commands(),
            topics.revisions(),
            topics.status(),
            topics.schedules(),
            topics.dlq())) {
      for (int partition = 0; partition < Broker.PARTITIONS; partition++) {
        broker.write(new ProducerRecord<>(topic, partition, null, "junk".getBytes(UTF_8)));
        broker.write(new ProducerRecord<>(topic, partition, null, null));
        broker.write(new ProducerRecord<>(topic, partition, "a|x".getBytes(UTF_8), null));
      }
    }
    for (String command :
        List.of(
            "list",
            "get a",
            "history a",
            "fires",
            "fires --schedule a",
            "fires --follow --from-beginning --max 1",
            "audit a",
            "doctor a")) {
      CliRun run = broker.run(topics, command.split(" "));
      assertThat(run.err()).as(command).doesNotContain("Exception");
      assertThat(run.out()).as(command).isNotEmpty();
    }
  }

  /** A definition in force, as the scheduler leaves it in the topics; returns its revision. */
  private static String accepted(Topics topics, String id, String json, State state)
      throws Exception {
    String position = broker.write(topics.schedules(), id, json.getBytes(UTF_8));
    status(topics, active(id, position).setState(state));
    revision(topics, id, json, position, BEFORE);
    return position;
  }

  private static void calendar(Topics topics, String name, String json) throws Exception {
    broker.write(topics.calendars(), name, json.getBytes(UTF_8));
  }

  private static ScheduleStatus.Builder active(String id, String revision) {
    return ScheduleStatus.newBuilder()
        .setScheduleId(id)
        .setState(State.ACTIVE)
        .setSince(BEFORE)
        .setRevision(revision);
  }

  private static void status(Topics topics, ScheduleStatus.Builder status) throws Exception {
    ScheduleStatus record = status.build();
    broker.write(
        topics.status(),
        record.getScheduleId(),
        RecordCodecs.status().encode(record, WireFormat.AVRO));
  }

  private static void revision(
      Topics topics, String id, String json, String position, Instant resolvedAt) throws Exception {
    Schedule schedule = RecordCodecs.schedule().decode(json.getBytes(UTF_8));
    Revision revision =
        Revision.newBuilder()
            .setScheduleId(id)
            .setRevision(position)
            .setSchedule(schedule)
            .setOwnsAfter(BEFORE)
            .setEffectiveAt(BEFORE)
            .setAcceptedAt(BEFORE)
            .setResolvedAt(resolvedAt)
            .setTzdb("2025a")
            .build();
    broker.write(topics.revisions(), id, RecordCodecs.revision().encode(revision, WireFormat.AVRO));
  }

  private static void transact(Topics topics, String id, Instant occurrence, boolean commit)
      throws Exception {
    transact(topics, id, "r", occurrence, commit);
  }

  private static void transact(
      Topics topics, String id, String revision, Instant occurrence, boolean commit)
      throws Exception {
    Fire fire =
        Fire.newBuilder()
            .setFireId("f")
            .setScheduleId(id)
            .setOccurrence(occurrence)
            .setDue(occurrence)
            .setFiredAt(occurrence.plusMillis(5))
            .setCause(Cause.SCHEDULED)
            .setRevision(revision)
            .setSchedule(RecordCodecs.schedule().decode("{\"every\":\"1m\"}".getBytes(UTF_8)))
            .build();
    Map<String, Object> settings = new HashMap<>(broker.clients());
    settings.put("transactional.id", topics.prefix());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      int partition = Utils.toPositive(Utils.murmur2(id.getBytes(UTF_8))) % Broker.PARTITIONS;
      producer
          .send(
              new ProducerRecord<>(
                  topics.fires(),
                  partition,
                  (id + "|" + occurrence).getBytes(UTF_8),
                  RecordCodecs.fire().encode(fire, WireFormat.AVRO)))
          .get();
      if (commit) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
  }

  @Test
  void runs_shows_what_workers_made_of_the_fires_and_list_names_schedules_that_fail()
      throws Exception {
    Topics topics = broker.topics("reported");
    String owned = "{\"cron\":\"0 9 * * *\",\"owner\":\"acme\"}";
    accepted(topics, "a", owned, State.ACTIVE);
    accepted(topics, "b", "{\"cron\":\"0 9 * * *\"}", State.ACTIVE);
    fired(topics, "a", BEFORE);
    for (String id : List.of("a", "b")) {
      String key = FireKey.of(ScheduleId.parse(id), BEFORE.minusSeconds(60)).text();
      broker.write(
          topics.outcomes(),
          id,
          ("{\"fire_key\":\""
                  + key
                  + "\",\"state\":\"failed\",\"attempt\":4,\"started_at\":\""
                  + BEFORE
                  + "\",\"ended_at\":\""
                  + BEFORE.plusSeconds(2)
                  + "\",\"worker\":\"w/1\",\"error\":\"no disk\"}")
              .getBytes(UTF_8));
    }
    List<String> ofA = broker.run(topics, "runs", "a").lines();
    assertThat(ofA.get(0))
        .isEqualTo("OCCURRENCE            STARTED               TOOK  TRIES  WORKER  RESULT");
    assertThat(ofA)
        .anyMatch(line -> line.endsWith("2 s   4      w/1     failed: no disk"))
        .anyMatch(line -> line.endsWith("not reported"))
        .contains("2 runs")
        .last(InstanceOfAssertFactories.STRING)
        .startsWith("last failure ");
    assertThat(broker.run(topics, "runs", "--failed").lines()).hasSize(4);
    assertThat(broker.run(topics, "runs", "--failed", "--owner", "acme").lines())
        .hasSize(3)
        .element(1)
        .asString()
        .startsWith("a ");
    assertThat(broker.run(topics, "runs", "a", "--owner", "acme").exitCode()).isEqualTo(2);
    assertThat(broker.run(topics, "runs", "--failed", "--json").out())
        .contains("\"duration_ms\":2000");

    assertThat(broker.run(topics, "list", "--state", "FAILING").lines()).endsWith("0 schedules");
    ScheduleStatus failing =
        ScheduleStatus.newBuilder()
            .setScheduleId("a")
            .setState(State.ACTIVE)
            .setSince(BEFORE)
            .setFailing(new FailingFires(BEFORE, 3L, BEFORE, BEFORE, "no disk"))
            .build();
    broker.write(topics.status(), "a", RecordCodecs.status().encode(failing, WireFormat.AVRO));
    assertThat(broker.run(topics, "list", "--state", "FAILING").lines())
        .anyMatch(line -> line.startsWith("a   FAILING"))
        .anyMatch(line -> line.contains("at least 3 in a row") && line.contains("no disk"))
        .endsWith("1 schedule");
    assertThat(broker.run(topics, "list", "--where", "failing >= 3").lines())
        .endsWith("1 schedule");
  }
}
