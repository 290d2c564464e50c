package io.waterclock.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.Main;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Schedules as code and bulk changes, with a scheduler. Each test has ids of its own. */
@Timeout(600)
final class ApplyOnSchedulerTest {
  private static final Pattern BULK_ID = Pattern.compile("this change has the id (\\S+);");

  @TempDir static Path data;
  @TempDir Path dir = Path.of("");
  private static EmbeddedKafka kafka;
  private static Waterclock scheduler;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(data.resolve("kafka"), 0);
    scheduler =
        Waterclock.start(
            WaterclockConfig.parse(
                Map.of(
                    "bootstrap.servers",
                    kafka.bootstrapServers(),
                    "partitions",
                    "2",
                    "health.port",
                    "0",
                    "state.dir",
                    data.resolve("state").toString())));
    await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
  }

  @AfterAll
  static void stop() {
    scheduler.close();
    kafka.close();
  }

  private static CliRun cli(String... args) {
    return CliRun.today(
        Stream.concat(
                Arrays.stream(args), Stream.of("--bootstrap-server", kafka.bootstrapServers()))
            .toArray(String[]::new));
  }

  /** {@code MovingInPageTest} checks that the page has what the command prints. */
  @Test
  @Tag("all")
  void what_is_imported_from_each_other_scheduler_is_applied_and_then_unchanged() throws Exception {
    Matcher example =
        Pattern.compile(
                "^\\$ waterclock import-from (\\S+) [^\\n]*\\n(---\\n.*?)^\\d+ schedules? moved",
                Pattern.DOTALL | Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("..", "docs", "moving-in.md")));
    String folder = Files.createDirectory(dir.resolve("moved")).toString();
    int schedules = 0;
    while (example.find()) {
      String system = example.group(1);
      file(
          "moved/" + system + ".yaml",
          example.group(2).replace("\nschedule: ", "\nschedule: moved/" + system + "/"));
      schedules += example.group(2).split("\nschedule: ", -1).length - 1;
    }
    assertThat(dir.resolve("moved").toFile().list()).hasSize(8);
    String[] apply = {"apply", folder, "--yes", "--allow-past"};
    assertThat(ok(apply).lines()).last().asString().startsWith(schedules + " added");
    assertThat(ok(apply).lines())
        .containsExactly("0 to add, 0 to change, 0 to remove, " + schedules + " unchanged");
  }

  /** As anybody may write. */
  private static void write(String key, String value) {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      var unused =
          producer.send(
              new ProducerRecord<>(
                  "waterclock.schedules", key.getBytes(UTF_8), value.getBytes(UTF_8)));
    }
  }

  private static CliRun ok(String... args) {
    CliRun run = cli(args);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run;
  }

  private String file(String name, String... lines) throws IOException {
    return Files.writeString(dir.resolve(name), String.join("\n", lines) + "\n").toString();
  }

  @Test
  void a_second_apply_changes_nothing_and_an_edit_changes_its_fields() throws IOException {
    file(
        "a.yaml",
        "schedule: code/report",
        "cron: \"0 9 * * 1-5\"",
        "timezone: Europe/Berlin",
        "except: [code-holidays]",
        "---",
        "schedule: code/poll",
        "every: 30m",
        "enabled: false");
    file("z.json", "{\"calendar\":\"code-holidays\",\"dates\":[\"2026-12-25\"]}");
    String folder = dir.toString();
    CliRun dry = cli("apply", folder, "--set", "code", "--dry-run");
    assertThat(dry.exitCode()).isEqualTo(2);
    assertThat(dry.lines())
        .contains("+ calendar code-holidays", "+ schedule code/report", "+ schedule code/poll")
        .endsWith("3 to add, 0 to change, 0 to remove, 0 unchanged");
    assertThat(cli("list", "--id-prefix", "code/").lines()).containsOnlyOnce("0 schedules");
    assertThat(cli("apply", folder, "--set", "code").err()).contains("Nothing was written.");
    ok("apply", folder, "--set", "code", "--yes");
    assertThat(ok("apply", folder, "--set", "code").lines())
        .containsExactly("0 to add, 0 to change, 0 to remove, 3 unchanged");
    file(
        "a.yaml",
        "schedule: code/report",
        "cron: \"0 10 * * 1-5\"",
        "timezone: Europe/Berlin",
        "except: [code-holidays]");
    CliRun edit = cli("apply", folder, "--set", "code", "--prune", "--dry-run");
    assertThat(edit.exitCode()).isEqualTo(2);
    assertThat(edit.lines())
        .containsSubsequence(
            "~ schedule code/report",
            "    cron: \"0 9 * * 1-5\" -> \"0 10 * * 1-5\"",
            "- schedule code/poll",
            "0 to add, 1 to change, 1 to remove, 1 unchanged")
        .anyMatch(line -> line.matches("    next: \\S+, \\S+, \\S+ -> \\S+, \\S+, \\S+"));
    ok("apply", folder, "--set", "code", "--prune", "--yes");
    assertThat(cli("get", "code/poll").exitCode()).isEqualTo(1);

    String longest = "L".repeat(253) + "/x";
    ok("put", longest, "--every", "1h");
    ok("put", "Code/report", "--every", "1h");
    write("../../escape", "{\"every\":\"1h\",\"labels\":{\"waterclock-set\":\"code\"}}");
    reject("broken");
    Path code = dir.resolve("export");
    ok("export", "--as-code", code.toString());
    assertThat(cli("apply", code.toString(), "--dry-run").out())
        .startsWith("0 to add, 0 to change");
    assertThat(dir.toFile().list()).contains("export").doesNotContain("escape.yaml");
    assertThat(cli("diff", code.toString()).lines())
        .last()
        .asString()
        .contains("added 0, removed 0, moved 0");
    assertThat(cli("export", "--as-code", code.toString()).err()).contains("is not empty");

    reject("Code/report");
    ok("pause", "Code/report"); // a later status says nothing of what was rejected
    ok("resume", "Code/report");
    Path inForce = dir.resolve("in-force");
    ok("export", "--as-code", inForce.toString());
    assertThat(Files.readString(inForce.resolve("code.yaml")))
        .contains("Code/report")
        .doesNotContain("99 99");
    Files.createDirectory(dir.resolve("one"));
    String same = file("one/report.yaml", "schedule: Code/report", "every: 1h");
    assertThat(ok("apply", same, "--yes").lines())
        .contains("~ schedule Code/report")
        .endsWith("0 added, 0 changed, 0 removed, 1 unchanged");
    assertThat(ok("apply", same).lines())
        .containsExactly("0 to add, 0 to change, 0 to remove, 1 unchanged");

    Files.delete(dir.resolve("a.yaml"));
    Files.delete(dir.resolve("z.json"));
    Path empty = Files.createDirectory(dir.resolve("empty"));
    assertThat(cli("apply", empty.toString(), "--set", "code", "--prune", "--yes").err())
        .contains("would delete all 1 of the set code", "--allow-empty");
    ok("get", "code/report");
    ok("apply", empty.toString(), "--set", "code", "--prune", "--yes", "--allow-empty");
    assertThat(cli("get", "code/report").exitCode()).isEqualTo(1);
  }

  private static void reject(String id) {
    write(id, "{\"cron\":\"99 99 * * *\"}");
    await().atMost(Duration.ofMinutes(2)).until(() -> cli("get", id).out().contains("99"));
  }

  @Test
  void nothing_is_written_if_anything_is_wrong() throws IOException {
    String file =
        file(
            "b.yaml",
            "schedule: wrong/good",
            "every: 30m",
            "---",
            "schedule: wrong/bad",
            "cron: \"0 25 * * *\"",
            "---",
            "schedule: wrong/past",
            "at: 2020-01-01T00:00:00Z",
            "---",
            "schedule: wrong/now",
            "in: 5m");
    CliRun run = cli("apply", file, "--yes");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("b.yaml:5: wrong/bad: cron: ");
    assertThat(cli("get", "wrong/good").exitCode()).isEqualTo(1);
    file("b.yaml", "schedule: wrong/now", "in: 5m", "---", "schedule: wrong/past", "at: now");
    assertThat(cli("apply", file, "--yes").err())
        .contains("b.yaml:1: wrong/now would fire at once", "b.yaml:5: wrong/past would fire");
    ok("apply", file, "--yes", "--allow-past");
    assertThat(ok("apply", file, "--yes").lines())
        .containsExactly("0 to add, 0 to change, 0 to remove, 2 unchanged");
    assertThat(cli("apply", file, "--prune").exitCode()).isEqualTo(1);
    assertThat(cli("apply").exitCode()).isEqualTo(1);
  }

  @Test
  void a_schedule_belongs_to_one_set() throws IOException {
    String file = file("c.yaml", "schedule: sets/a", "every: 30m");
    ok("apply", file, "--set", "one", "--yes");
    assertThat(cli("apply", file, "--set", "two", "--yes").err())
        .contains("c.yaml:1: sets/a belongs to the set one");
    assertThat(cli("apply", file, "--yes").err()).contains("belongs to the set one");
    assertThat(ok("apply", file, "--set", "two", "--adopt", "--yes").out())
        .contains("labels: {\"waterclock-set\":\"one\"} -> {\"waterclock-set\":\"two\"}");
  }

  @Test
  @Tag("all")
  void a_bulk_pause_is_continued_and_resumed_exactly() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      lines.append("---\nschedule: bulk/%02d\nevery: 1h\nlabels: {team: x}\n".formatted(i));
    }
    ok("apply", file("d.yaml", lines.toString()), "--yes");
    ok("pause", "bulk/07", "--note", "broken", "--author", "kim");
    ok("pause", "bulk/08", "--note", "broken, too", "--author", "kim");

    CliRun dry = ok("pause", "--label", "team=x", "--dry-run");
    assertThat(dry.lines()).hasSize(28).doesNotContain("bulk/07");
    CliRun first = ok("pause", "--id-prefix", "bulk/1", "--note", "deploying", "--yes");
    Matcher printed = BULK_ID.matcher(first.err());
    assertThat(printed.find()).isTrue();
    String id = printed.group(1);
    // the rest, as after an interruption
    CliRun rest =
        ok(
            "pause",
            "--label",
            "team=x",
            "--note",
            "deploying",
            "--bulk-id",
            id,
            "--rate",
            "200",
            "--yes");
    assertThat(rest.lines()).hasSize(18);
    assertThat(rest.err()).contains("pause: 18 of 18 done");
    assertThat(paused()).hasSize(30);

    ok("resume", "bulk/09"); // someone needs it
    ok("pause", "bulk/09", "--note", "again", "--author", "kim");
    assertThat(ok("resume", "--paused-by", id, "--yes").err()).contains("resume: 27 of 27 done");
    assertThat(paused()).containsExactly("bulk/07", "bulk/08", "bulk/09");
    assertThat(ok("history", "bulk/12").out())
        .contains("pause  " + System.getProperty("user.name") + "  deploying [" + id + "]")
        .contains("resume  ");
    assertThat(ok("history", "--label", "team=x", "--where", "pause_note = broken").out())
        .contains("pause  kim  broken");
    assertThat(ok("resume", "--paused-by", id, "--yes").err())
        .isEqualToIgnoringNewLines("waterclock: no schedule to resume matches.");
  }

  @Test
  @Tag("all")
  void a_killed_apply_and_a_killed_bulk_pause_are_completed_by_the_next_run() throws Exception {
    String folder = Files.createDirectory(dir.resolve("set")).toString();
    file("set/a.yaml", killed(30, 90, 1));
    ok("apply", folder, "--set", "killed", "--yes");
    file("set/a.yaml", killed(0, 60, 2));
    String[] apply = {"apply", folder, "--set", "killed", "--prune", "--yes"};
    kill("waterclock.schedules", apply);
    assertThat(ok(apply).out())
        .as("the next run has a rest to do")
        .containsPattern("[1-9]\\d* unchanged")
        .containsPattern("[1-9]\\d* (added|removed)");
    assertThat(ok(apply).lines())
        .containsExactly("0 to add, 0 to change, 0 to remove, 60 unchanged");
    List<String> after = ids("--id-prefix=killed/", "--where=priority = 2");
    assertThat(ids("--id-prefix=killed/")).hasSize(60).isEqualTo(after).contains("killed/00");
    String definitions = ok("history", "--id-prefix=killed/", "--max", "100000").out();
    assertThat(definitions.lines().filter(line -> line.contains(" ACCEPTED "))).hasSize(30 + 60);

    ok("pause", "killed/40", "--note", "broken", "--author", "kim");
    String[] pause = {"pause", "--label=waterclock-set=killed", "--bulk-id", "kill-1", "--yes"};
    kill("waterclock.commands", pause);
    int paused = ids("--id-prefix=killed/", "--state=paused").size();
    assertThat(paused).isBetween(2, 59);
    ok(pause);
    assertThat(ids("--id-prefix=killed/", "--state=paused")).hasSize(60);
    assertThat(ok("resume", "--paused-by", "kill-1", "--yes").err())
        .contains("resume: 59 of 59 done");
    assertThat(ids("--id-prefix=killed/", "--state=paused")).containsExactly("killed/40");
  }

  private static String killed(int from, int to, int priority) {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      lines.append("---\nschedule: killed/%02d\nevery: 1h\npriority: %d\n".formatted(i, priority));
    }
    return lines.toString();
  }

  /** Runs the command slowly in a process of its own, and kills it when it has written a little. */
  private void kill(String topic, String... args) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(args));
    command.addAll(List.of("--rate", "20", "--bootstrap-server", kafka.bootstrapServers()));
    long before = written(topic);
    Path output = dir.resolve("killed.out");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      await().atMost(Duration.ofMinutes(2)).until(() -> written(topic) >= before + 10);
      assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static long written(String topic) {
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(one -> new TopicPartition(one.topic(), one.partition()))
              .toList();
      return consumer.endOffsets(partitions).values().stream().mapToLong(end -> end).sum();
    }
  }

  private static List<String> ids(String... filter) {
    String[] args =
        Stream.concat(Stream.of("list", "--json"), Stream.of(filter)).toArray(String[]::new);
    return ok(args).lines().stream()
        .map(line -> line.replaceFirst(".*\"id\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  private static List<String> paused() {
    return ids("--id-prefix=bulk/", "--state=paused");
  }

  @Test
  @Tag("all")
  void a_bulk_command_is_executed_once_for_each_schedule_and_id() throws IOException {
    String file =
        file("e.yaml", "- {schedule: once/a, every: 1h}", "- {schedule: once/b, every: 1h}");
    ok("apply", file, "--yes");
    ok("trigger", "--id-prefix", "once/", "--bulk-id", "t-1", "--yes");
    assertThat(ok("trigger", "--id-prefix", "once/", "--bulk-id", "t-1", "--yes").lines())
        .hasSize(2)
        .allMatch(line -> line.contains("already executed at "));
    assertThat(ok("skip", "2030-01-01T00:00:00Z", "--id-prefix=nothing/", "--yes").err())
        .contains("no schedule to skip matches");
    assertThat(cli("pause", "once/a", "--all").exitCode()).isEqualTo(2);
    assertThat(cli("pause").exitCode()).isEqualTo(2);
    assertThat(cli("pause", "once/a", "--yes").exitCode()).isEqualTo(2);
    assertThat(cli("delete", "--where", "ownr = x").exitCode()).isEqualTo(2);
    assertThat(ok("delete", "--where", "id ~ once/*", "--yes").err())
        .contains("delete: 2 of 2 done");
  }

  @Test
  @Tag("all")
  void occurrences_of_many_are_skipped_and_fired_again() throws IOException {
    String file =
        file(
            "f.yaml",
            "- {schedule: past/a, cron: '* * * * * *'}",
            "- {schedule: past/b, cron: '* * * * * *'}");
    ok("apply", file, "--yes");
    for (String id : List.of("past/a", "past/b")) {
      ok("fires", "--schedule", id, "--from-beginning", "--follow", "--max", "1");
    }
    String from = Instant.now().minusSeconds(60).toString();
    String to = Instant.now().toString();
    assertThat(ok("backfill", "--from", from, "--to", to, "--id-prefix=past/", "--yes").err())
        .contains("backfill: 2 of 2 done");
    assertThat(ok("history", "past/b", "--from", "1h").out()).contains("BACKFILL");

    String far = "2030-01-01T00:00:00Z";
    assertThat(ok("skip", far, "--id-prefix=past/", "--yes").err()).contains("skip: 2 of 2 done");
    assertThat(ok("get", "past/a").out()).contains("2030-01-01");
    assertThat(ok("unskip", far, "--id-prefix=past/", "--yes").err())
        .contains("unskip: 2 of 2 done");
    assertThat(ok("get", "past/a").out()).doesNotContain("2030-01-01");
    ok("delete", "--id-prefix=past/", "--yes");
  }
}
