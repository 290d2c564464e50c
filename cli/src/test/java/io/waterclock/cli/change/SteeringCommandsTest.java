package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.cli.cluster.FakeScheduler;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.CancelBackfillCommand;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.SkipCommand;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.UnskipCommand;
import io.waterclock.schemas.avro.Verdict;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class SteeringCommandsTest {
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final String IN_FORCE =
      ": next occurrence 2026-11-21T10:05:00Z, revision x.schedules-0@7";

  @TempDir static Path dir;
  @RegisterExtension static final Broker broker = new Broker();
  private static Topics obedient;
  private static FakeScheduler scheduler;

  @BeforeAll
  static void start() throws Exception {
    obedient = broker.topics("obedient");
    scheduler = new FakeScheduler(broker, obedient, SteeringCommandsTest::execute);
  }

  @AfterAll
  static void stop() {
    scheduler.close();
  }

  /** The command that was sent, and the output. */
  private record Sent(Command command, CliRun run) {}

  private static Sent send(String... args) {
    int before = scheduler.seen().size();
    CliRun run = broker.run(obedient, args);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(scheduler.seen()).hasSize(before + 1);
    ConsumerRecord<byte[], byte[]> record = scheduler.seen().get(before);
    assertThat(record.topic()).isEqualTo(obedient.commands());
    assertThat(new String(record.key(), UTF_8)).isEqualTo("a");
    return new Sent(RecordCodecs.command().decode(record.value()), run);
  }

  @Test
  void pause_says_why_and_by_whom() {
    Sent sent = send("pause", "a", "--note=deploying 4.2", "--author=ann");
    assertThat(sent.command().getAction())
        .isEqualTo(new PauseCommand("deploying 4.2", "ann", false));
    assertThat(sent.command().getExpectedRevision()).isNull();
    assertThat(sent.command().getCommandId()).hasSize(36);
    assertThat(sent.run().out()).isEqualToIgnoringNewLines("a paused" + IN_FORCE);
    assertThat(send("pause", "a").command().getAction())
        .isEqualTo(new PauseCommand(null, System.getProperty("user.name"), false));
    assertThat(send("pause", "a", "--author=").command().getAction())
        .isEqualTo(new PauseCommand(null, null, false));
  }

  @Test
  void resume_can_fire_once() {
    Sent sent =
        send("resume", "a", "--on-resume=Fire-Once", "--author=bob", "--expect-revision=r@1");
    assertThat(sent.command().getAction())
        .isEqualTo(new ResumeCommand(OnResume.FIRE_ONCE, null, "bob", null));
    assertThat(sent.command().getExpectedRevision()).isEqualTo("r@1");
    assertThat(sent.run().out()).isEqualToIgnoringNewLines("a resumed" + IN_FORCE);
  }

  @Test
  void skip_and_unskip_name_the_occurrence() {
    Sent skip = send("skip", "a", "2026-11-21T09:00:00Z");
    assertThat(skip.command().getAction()).isEqualTo(new SkipCommand(NINE));
    assertThat(skip.run().out())
        .isEqualToIgnoringNewLines("a skips 2026-11-21T09:00:00Z" + IN_FORCE);
    Sent unskip = send("unskip", "a", "2026-11-21T10:00:00+01:00");
    assertThat(unskip.command().getAction()).isEqualTo(new UnskipCommand(NINE));
    assertThat(unskip.run().out()).startsWith("a no longer skips 2026-11-21T10:00:00+01:00");
  }

  @Test
  void every_command_says_why_and_by_whom() {
    Sent skip = send("skip", "a", NINE.toString(), "--note=a holiday", "--author=ann");
    assertThat(skip.command().getNote()).isEqualTo("a holiday");
    assertThat(skip.command().getAuthor()).isEqualTo("ann");
    Sent backfill =
        send("backfill", "a", "--from", NINE.toString(), "--to=2026-11-21T10:00:00Z", "--author=");
    assertThat(backfill.command().getAuthor()).isNull();
  }

  @Test
  void a_repeated_command_says_when_it_was_executed() throws Exception {
    CliRun run = broker.run(obedient, "pause", "again", "--command-id=c-1");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualToIgnoringNewLines("again already executed at " + NINE + IN_FORCE);
  }

  @Test
  void a_payload_is_carried_byte_for_byte() throws Exception {
    Sent none = send("trigger", "a", "--command-id=c-1");
    assertThat(none.command())
        .isEqualTo(
            Command.newBuilder()
                .setCommandId("c-1")
                .setAction(new TriggerCommand((ByteBuffer) null))
                .setAuthor(System.getProperty("user.name"))
                .build());
    assertThat(none.run().out()).isEqualToIgnoringNewLines("a triggered by command c-1" + IN_FORCE);
    assertThat(send("trigger", "a", "--payload={\"n\":  1.10}").command().getAction())
        .isEqualTo(carrying("{\"n\":  1.10}".getBytes(UTF_8)));
    byte[] binary = {0, -1, 7};
    Path file = Files.write(dir.resolve("payload"), binary);
    assertThat(send("trigger", "a", "--payload", "@" + file).command().getAction())
        .isEqualTo(carrying(binary));
  }

  @Test
  void backfill_takes_a_range_or_the_command_to_cancel() {
    Sent range = send("backfill", "a", "--from", NINE.toString(), "--to=2026-11-21T10:00:00Z");
    assertThat(range.command().getAction())
        .isEqualTo(new BackfillCommand(NINE, NINE.plusSeconds(3600), false, null));
    assertThat(range.run().out())
        .isEqualToIgnoringNewLines(
            "a fires again from 2026-11-21T09:00:00Z to 2026-11-21T10:00:00Z by command "
                + range.command().getCommandId()
                + IN_FORCE);
    Sent paced =
        send(
            "backfill",
            "a",
            "--from=" + NINE,
            "--to=2026-11-21T10:00:00Z",
            "--newest-first",
            "--max-running=4");
    assertThat(paced.command().getAction())
        .isEqualTo(new BackfillCommand(NINE, NINE.plusSeconds(3600), true, 4));
    Sent cancel = send("backfill", "a", "--cancel=c-1");
    assertThat(cancel.command().getAction()).isEqualTo(new CancelBackfillCommand("c-1"));
    assertThat(cancel.run().out())
        .isEqualToIgnoringNewLines("a stopped firing for backfill c-1" + IN_FORCE);
  }

  @Test
  void json_is_the_answer_and_the_command_id() throws Exception {
    JsonNode answer =
        new ObjectMapper().readTree(send("pause", "a", "--json", "--command-id=c-1").run().out());
    assertThat(answer.get("verdict").asText()).isEqualTo("EXECUTED");
    assertThat(answer.get("command_id").asText()).isEqualTo("c-1");
    assertThat(answer.get("schedule_id").asText()).isEqualTo("a");
  }

  @Test
  void a_rejected_command_prints_all_reasons_and_exits_with_1() throws Exception {
    Topics topics = broker.topics("refused");
    try (FakeScheduler strict = new FakeScheduler(broker, topics, SteeringCommandsTest::refuse)) {
      CliRun rejected = broker.run(topics, "pause", "rejected");
      assertThat(rejected.exitCode()).isEqualTo(1);
      assertThat(rejected.out()).isEmpty();
      assertThat(rejected.err().lines())
          .containsExactly(
              "waterclock: the command for rejected was rejected, for 2 reasons:",
              "  pause.note: is long; for example \"short\"",
              "  pause.author: is long");
      CliRun conflict = broker.run(topics, "pause", "conflict");
      assertThat(conflict.exitCode()).isEqualTo(1);
      assertThat(conflict.err()).startsWith("waterclock: conflict is not as expected, for 2");
      CliRun missing = broker.run(topics, "pause", "missing");
      assertThat(missing.exitCode()).isEqualTo(1);
      assertThat(missing.err().lines())
          .first()
          .isEqualTo("waterclock: There is no schedule missing.");
      CliRun json = broker.run(topics, "pause", "rejected", "--json");
      assertThat(json.exitCode()).isEqualTo(1);
      assertThat(new ObjectMapper().readTree(json.out()).get("problems")).hasSize(2);
      assertThat(json.err()).isEmpty();
      assertThat(strict.seen()).hasSize(4);
    }
  }

  @Test
  void no_answer_explains_how_to_repeat_the_command() throws Exception {
    Topics topics = broker.topics("unheard");
    CliRun run = broker.run(topics, "trigger", "a", "--timeout=300ms", "--command-id=c-1");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("no scheduler answered within 300 ms", "add --command-id c-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pause",
        "skip a",
        "unskip",
        "backfill a",
        "backfill a --from=2026-11-21T09:00:00Z",
        "backfill a --from=x --to=y --cancel=c-1"
      })
  void missing_or_contradicting_options_are_wrong_usage(String command) {
    CliRun run = CliRun.of(command.split(" "));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--help").doesNotContain("\tat ");
  }

  private static TriggerCommand carrying(byte[] payload) {
    return new TriggerCommand(ByteBuffer.wrap(payload));
  }

  private static Answer execute(String id, Answer.Builder answer) {
    return answer
        .setRepeats(id.equals("again") ? NINE : null)
        .setVerdict(Verdict.EXECUTED)
        .setRevision("x.schedules-0@7")
        .setNext(Instant.parse("2026-11-21T10:05:00Z"))
        .build();
  }

  private static Answer refuse(String id, Answer.Builder answer) {
    Verdict verdict =
        switch (id) {
          case "missing" -> Verdict.NOT_FOUND;
          case "conflict" -> Verdict.CONFLICT;
          default -> Verdict.REJECTED;
        };
    return answer
        .setVerdict(verdict)
        .setProblems(
            List.of(
                new Problem("pause.note", "is long", "\"short\""),
                new Problem("pause.author", "is long", null)))
        .build();
  }
}
