package io.waterclock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.waterclock.cli.terminal.Terminal;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class CommandTreeTest {
  @Test
  void version_names_the_components_that_determine_how_schedules_behave() {
    CliRun run = CliRun.of("--version");
    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).hasSize(4);
    assertThat(run.out()).contains("waterclock ", "tzdb 20", "kafka 4.", "java ");
  }

  @Test
  void help_lists_each_command_in_one_group() {
    List<String> listed =
        CliRun.of("--help").lines().stream()
            .filter(line -> line.matches("  [a-z-]+ +[A-Z].*"))
            .map(line -> line.strip().replaceFirst(" .*", ""))
            .toList();
    assertThat(listed).containsExactlyInAnyOrderElementsOf(commands());
  }

  static Set<String> commands() {
    return CommandTree.on(Terminal.system()).getSubcommands().keySet();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_of_a_command_has_an_example_that_is_right(String command) {
    List<String> lines = CliRun.of(command, "--help").lines();
    List<String> examples =
        lines.stream()
            .filter(line -> line.matches("  waterclock [^|]*"))
            .map(String::strip)
            .toList();
    if (!command.equals("calendar") && !command.equals("completion")) {
      assertThat(examples).isNotEmpty();
    }
    for (String example : examples) {
      String[] words =
          Pattern.compile("'([^']*)'|(\\S+)")
              .matcher(example.substring("waterclock ".length()))
              .results()
              .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
              .toArray(String[]::new);
      assertThatCode(() -> CommandTree.on(Terminal.system()).parseArgs(words))
          .as(example)
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void lines_of_the_help_end_at_spaces_alone(String command) {
    for (CommandLine one : withSubcommands(CommandTree.on(Terminal.system()), command)) {
      one.setUsageHelpAutoWidth(false).setUsageHelpWidth(2_000);
      List<String> whole = words(one);
      one.setUsageHelpWidth(80);
      assertThat(words(one)).as(one.getCommandName()).isEqualTo(whole);
    }
  }

  private static List<CommandLine> withSubcommands(CommandLine root, String command) {
    CommandLine one = root.getSubcommands().get(command);
    return Stream.concat(Stream.of(one), one.getSubcommands().values().stream()).toList();
  }

  private static List<String> words(CommandLine command) {
    return List.of(command.getUsageMessage(Ansi.OFF).strip().split("\\s+"));
  }

  @Test
  void help_lists_the_commands() {
    CliRun run = CliRun.of("--help");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("put", "delete", "get", "list", "fires", "next", "Exit codes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "put",
        "delete",
        "get",
        "list",
        "fires",
        "pause",
        "resume",
        "skip",
        "unskip",
        "trigger",
        "backfill",
        "topics"
      })
  void every_online_command_takes_the_address_and_the_prefix(String command) {
    CliRun run = CliRun.of(command, "--help");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("--bootstrap-server", "127.0.0.1:9092", "--prefix", "waterclock");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "put",
        "delete",
        "get",
        "list",
        "fires",
        "next",
        "explain",
        "history",
        "audit",
        "doctor",
        "pause",
        "resume",
        "skip",
        "unskip",
        "trigger",
        "backfill",
        "calendar put",
        "calendar delete",
        "calendar get",
        "calendar list"
      })
  void every_command_that_prints_data_prints_json_when_asked_to(String command) {
    CliRun run = CliRun.of((command + " --help").split(" "));
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("--json");
  }

  @Test
  void no_command_is_wrong_usage() {
    CliRun run = CliRun.of();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("waterclock: A command is missing.");
  }

  @Test
  void a_mistyped_command_is_wrong_usage_and_gets_a_suggestion() {
    CliRun run = CliRun.of("lst");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'lst'", "list").doesNotContain("\tat ");
  }

  @Test
  void a_bad_prefix_is_one_sentence() {
    CliRun run = CliRun.of("list", "--prefix", "a b");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines()).singleElement().asString().contains("--prefix", "\"a b\"");
  }
}
