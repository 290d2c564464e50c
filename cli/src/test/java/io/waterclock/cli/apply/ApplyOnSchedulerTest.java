package io.waterclock.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

    Path code = dir.resolve("export");
    ok("export", "--as-code", code.toString());
    assertThat(cli("apply", code.toString(), "--dry-run").out())
        .startsWith("0 to add, 0 to change");
    assertThat(cli("export", "--as-code", code.toString()).err()).contains("is not empty");

    Files.delete(dir.resolve("a.yaml"));
    Files.delete(dir.resolve("z.json"));
    Path empty = Files.createDirectory(dir.resolve("empty"));
    assertThat(cli("apply", empty.toString(), "--set", "code", "--prune", "--yes").err())
        .contains("would delete all 1 of the set code", "--allow-empty");
    ok("get", "code/report");
    ok("apply", empty.toString(), "--set", "code", "--prune", "--yes", "--allow-empty");
    assertThat(cli("get", "code/report").exitCode()).isEqualTo(1);
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
    assertThat(ok("resume", "--paused-by", id, "--yes").err()).contains("no schedule to resume");
  }

  private static List<String> paused() {
    return ok("list", "--id-prefix=bulk/", "--state=paused", "--json").lines().stream()
        .map(line -> line.replaceFirst(".*\"id\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  @Test
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
}
