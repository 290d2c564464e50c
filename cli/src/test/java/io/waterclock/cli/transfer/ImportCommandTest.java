package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class ImportCommandTest {
  private static final String DAILY = "{\"cron\":\"0 9 * * *\"}";

  @TempDir static Path dir;
  @RegisterExtension static final Broker broker = new Broker();

  @Test
  void a_replacement_that_is_rejected_ends_the_import_before_another_schedule_is_deleted()
      throws Exception {
    Topics topics = broker.topics("refused");
    for (String id : List.of("a", "b", "c")) {
      inForce(topics, id);
    }
    Set<String> deleted = ConcurrentHashMap.newKeySet();
    try (FakeScheduler scheduler =
            new FakeScheduler(
                broker,
                topics,
                (id, answer) -> deleted.add(id) ? deleted(answer) : rejected(answer));
        KafkaConsumer<byte[], byte[]> member = member(topics)) {
      CliRun run = replace(topics, "a", "b", "c");
      assertThat(member.assignment()).as("a scheduler runs").isNotEmpty();
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(
              "a was rejected", "import.allow is empty", "refused to replace a.", "so gone: a.");
      assertThat(scheduler.seen())
          .extracting(record -> new String(record.key(), UTF_8))
          .containsExactly("a", "a");
    }
  }

  @Test
  void what_a_refused_delete_leaves_is_not_called_gone() throws Exception {
    Topics topics = broker.topics("kept");
    inForce(topics, "a");
    try (FakeScheduler scheduler =
            new FakeScheduler(broker, topics, (id, answer) -> rejected(answer));
        KafkaConsumer<byte[], byte[]> member = member(topics)) {
      CliRun run = replace(topics, "a");
      assertThat(member.assignment()).as("a scheduler runs").isNotEmpty();
      assertThat(scheduler.seen()).hasSize(2);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("refused to replace a. None of them is deleted.");
    }
  }

  /** A scheduler that starts later could accept the deletes and reject the imports. */
  @Test
  void while_no_scheduler_runs_nothing_is_replaced_and_nothing_written() throws Exception {
    Topics topics = broker.topics("alone");
    inForce(topics, "a");
    List<Long> before = ends(topics);
    CliRun run = replace(topics, "a", "b", "calendar holidays");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("Nothing was imported, because no scheduler runs", ": a. Start it", "skip");
    assertThat(ends(topics)).isEqualTo(before);

    assertThat(replace(topics, "a", "--dry-run").out()).contains("would import 1 schedules (1 rep");
    assertThat(replace(topics, "b", "calendar holidays").exitCode()).isZero();
    assertThat(ends(topics)).isNotEqualTo(before);
  }

  /** How much is written. */
  private static List<Long> ends(Topics topics) {
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(
            new HashMap<>(broker.clients()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      return Stream.of(topics.schedules(), topics.calendars())
          .map(
              topic ->
                  reader
                      .endOffsets(
                          reader.partitionsFor(topic).stream()
                              .map(info -> new TopicPartition(topic, info.partition()))
                              .toList())
                      .values()
                      .stream()
                      .mapToLong(Long::longValue)
                      .sum())
          .toList();
    }
  }

  @Test
  void what_the_scheduler_rejects_is_not_counted_as_imported() throws Exception {
    Topics topics = broker.topics("counted");
    try (FakeScheduler scheduler =
            new FakeScheduler(
                broker,
                topics,
                (id, answer) -> id.equals("b") ? rejected(answer) : accepted(answer));
        KafkaConsumer<byte[], byte[]> member = member(topics)) {
      CliRun run = replace(topics, "a", "b", "c", "--json");
      assertThat(member.assignment()).as("a scheduler runs").isNotEmpty();
      assertThat(scheduler.seen()).hasSize(3);
      assertThat(run.exitCode()).isEqualTo(1);
      JsonNode tree = new ObjectMapper().readTree(run.out());
      assertThat(tree.path("schedules").asInt()).isEqualTo(2);
      assertThat(tree.path("refused").asInt()).isEqualTo(1);
    }
  }

  private static void inForce(Topics topics, String id) throws Exception {
    String revision = broker.write(topics.schedules(), id, DAILY.getBytes(UTF_8));
    ScheduleStatus status =
        ScheduleStatus.newBuilder()
            .setScheduleId(id)
            .setState(State.ACTIVE)
            .setRevision(revision)
            .setSince(Instant.EPOCH)
            .build();
    broker.write(topics.status(), id, RecordCodecs.status().encode(status, WireFormat.AVRO));
  }

  /** A running scheduler, as its consumer group shows it. */
  private static KafkaConsumer<byte[], byte[]> member(Topics topics) {
    Map<String, Object> settings = new HashMap<>(broker.clients());
    settings.put("group.id", topics.prefix() + "-scheduler");
    KafkaConsumer<byte[], byte[]> member =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    member.subscribe(List.of(topics.outcomes()));
    for (int i = 0; i < 100 && member.assignment().isEmpty(); i++) {
      member.poll(Duration.ofMillis(100));
    }
    return member;
  }

  /**
   * @param ids of the schedules, calendars, and options
   */
  private static CliRun replace(Topics topics, String... ids) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        ("{\"waterclock_export\":1,\"prefix\":\"%s\",\"cluster_id\":\"4L6g\","
                + "\"exported_at\":\"2026-11-21T09:00:00Z\",\"running\":false,\"tzdb\":\"2025b\"}")
            .formatted(topics.prefix()));
    int calendars = 0;
    List<String> command = new ArrayList<>(List.of("import", "--on-existing", "replace"));
    for (String id : ids) {
      if (id.startsWith("--")) {
        command.add(id);
      } else if (id.startsWith("calendar ")) {
        calendars++;
        lines.add(
            "{\"calendar\":\"%s\",\"definition\":{\"dates\":[\"2026-12-25\"]}}"
                .formatted(id.substring("calendar ".length())));
      } else {
        lines.add(
            ("{\"schedule\":\"%s\",\"definition\":%s,\"state\":{"
                    + "\"revision\":\"waterclock.schedules-3@17\","
                    + "\"written_at\":\"2026-03-02T08:11:00Z\","
                    + "\"effective_at\":\"2026-03-02T08:11:00Z\","
                    + "\"owns_after\":\"2026-03-02T08:11:00Z\","
                    + "\"decided_through\":\"2026-11-21T08:59:58Z\"}}")
                .formatted(id, DAILY));
      }
    }
    lines.add(
        "{\"end\":true,\"calendars\":%d,\"schedules\":%d}"
            .formatted(calendars, lines.size() - 1 - calendars));
    Path file = Files.write(dir.resolve(topics.prefix() + ".jsonl"), lines);
    command.add(file.toString());
    return broker.run(topics, command.toArray(String[]::new));
  }

  private static Answer deleted(Answer.Builder answer) {
    return answer.setVerdict(Verdict.DELETED).build();
  }

  private static Answer accepted(Answer.Builder answer) {
    return answer.setVerdict(Verdict.ACCEPTED).setRevision("r").setState(State.ACTIVE).build();
  }

  private static Answer rejected(Answer.Builder answer) {
    return answer
        .setVerdict(Verdict.REJECTED)
        .setProblems(List.of(new Problem("waterclock-import", "import.allow is empty", null)))
        .build();
  }
}
