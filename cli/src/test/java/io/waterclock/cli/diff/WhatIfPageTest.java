package io.waterclock.cli.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.occurrences.Tzdb;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.threeten.bp.ZoneId;

/** Executes the commands of docs/what-if.md with its files, and others beside them. */
class WhatIfPageTest {
  private static final Path PAGE = Path.of("..", "docs", "what-if.md");
  private static final Pattern FILE =
      Pattern.compile("^```yaml\\n# (\\S+)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern COMMAND =
      Pattern.compile(
          "^```\\n\\$ waterclock (.*?)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  @TempDir static Path folder;

  @BeforeAll
  static void writeFiles() throws IOException, URISyntaxException {
    for (MatchResult file : FILE.matcher(Files.readString(PAGE)).results().toList()) {
      Files.writeString(folder.resolve(file.group(1)), file.group(2));
    }
    Files.copy(
        Path.of(ZoneId.class.getProtectionDomain().getCodeSource().getLocation().toURI()),
        folder.resolve("threetenbp-1.4.5.jar"));
  }

  private static CliRun run(String words) {
    List<String> arguments = new ArrayList<>();
    for (String word : words.split(" ")) {
      boolean isFile = word.matches("\\S+\\.(yaml|json|jar|dat)");
      arguments.add(isFile ? folder.resolve(word).toString() : word);
    }
    return CliRun.of(arguments.toArray(String[]::new));
  }

  @Test
  void the_commands_of_the_page_print_what_it_says() throws IOException {
    List<MatchResult> commands = COMMAND.matcher(Files.readString(PAGE)).results().toList();

    assertThat(commands).hasSize(2);
    for (MatchResult command : commands) {
      CliRun run = run(command.group(1));
      assertThat(Stream.of(run.out(), run.err()).flatMap(String::lines).toList())
          .as(command.group(1))
          .isEqualTo(command.group(2).replace("TZDB", Tzdb.version()).lines().toList());
      assertThat(run.exitCode()).isEqualTo(2);
    }
  }

  @Test
  void equal_files_have_no_difference() {
    CliRun run = run("diff after.yaml --before after.yaml");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            "0 of 2 schedules differ from 2026-11-21T10:00:00Z to 2026-12-21T10:00:00Z:"
                + " occurrences added 0, removed 0, moved 0\n");
  }

  @Test
  void json_has_every_change() {
    CliRun run = run("diff after.yaml --before before.yaml --days 40 --json --show 0");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.lines()).hasSize(2);
    assertThat(run.lines().get(0))
        .startsWith(
            "{\"schedule\":\"exports/nightly\",\"added\":0,\"removed\":2,\"moved\":0,"
                + "\"fires_before\":40,\"fires_after\":38,\"problems\":[],\"changes\":[")
        .contains(
            "{\"change\":\"removed\",\"before\":{\"occurrence\":\"2026-12-25T01:30:00Z\","
                + "\"due\":\"2026-12-25T01:30:00Z\"}}");
    assertThat(run.lines().get(1).split("\"moved\",")).hasSize(30);
  }

  @Test
  void a_comparison_that_ends_early_says_where() throws IOException {
    Files.writeString(folder.resolve("often.yaml"), "schedule: a\nevery: 1m\njitter: 30s\n");
    Files.writeString(folder.resolve("often2.yaml"), "schedule: a\nevery: 1m\njitter: 20s\n");

    CliRun run = run("diff often2.yaml --before often.yaml --limit 100 --show 1");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).contains("  compared up to 2026-11-21T11:40:00.001Z only; see --limit");
  }

  @Test
  void a_zone_that_the_other_data_lacks_is_a_problem() throws IOException {
    Files.writeString(
        folder.resolve("kyiv.yaml"), "schedule: a\ncron: '0 9 * * *'\ntimezone: Europe/Kyiv\n");

    CliRun run = run("diff --before kyiv.yaml --tzdb threetenbp-1.4.5.jar");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).contains("after: \"Europe/Kyiv\" is not a time zone", "2020b");
  }

  @Test
  void bad_files_are_named_with_their_lines() throws IOException {
    Files.writeString(folder.resolve("bad.yaml"), "schedule: a\ncron: '0 25 * * *'\n");

    CliRun run = run("diff bad.yaml --before before.yaml");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("bad.yaml:2: a: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "diff                                               | 1 | Give a PATH",
        "diff after.yaml --before before.yaml --days 0      | 1 | from 1 to 3660",
        "diff after.yaml --before before.yaml --limit 0     | 1 | from 1 to 1000000",
        "diff after.yaml --no-such                          | 1 | --no-such",
        "diff after.yaml --before missing.yaml              | 1 | there is no such file",
        "diff after.yaml --before before.yaml --tzdb x.dat  | 1 | cannot read time-zone data",
        "diff --before before.yaml --tzdb after.yaml        | 1 | does not begin like",
      })
  void wrong_options_say_what_is_wrong(String command, int exitCode, String message) {
    CliRun run = run(command);

    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }
}
