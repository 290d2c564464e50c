package io.waterclock.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompletionCommandTest {
  @TempDir Path dir;

  @Test
  void bash_completes_commands_and_options() throws Exception {
    CliRun script = CliRun.of("completion", "bash");
    assertThat(script.exitCode()).isZero();
    Path file = Files.writeString(dir.resolve("waterclock.bash"), script.out());
    assertThat(completed(file, "waterclock", "pu")).isEqualTo("put");
    assertThat(completed(file, "waterclock", "put", "--catch-up-")).isEqualTo("--catch-up-window");
    assertThat(completed(file, "waterclock", "context", "us")).isEqualTo("use");
  }

  private static String completed(Path script, String... words) throws Exception {
    String commands =
        "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_waterclock; echo \"${COMPREPLY[*]}\""
            .formatted(script, String.join(" ", words), words.length - 1);
    Process bash = new ProcessBuilder("bash", "-c", commands).start();
    return new String(bash.getInputStream().readAllBytes(), UTF_8).strip();
  }

  @Test
  void fish_gets_each_command_and_each_option_with_its_description() {
    assertThat(CliRun.of("completion", "fish").lines())
        .startsWith("complete -c waterclock -f")
        .contains(
            "complete -c waterclock -n '__fish_use_subcommand' -a skip"
                + " -d 'Skip one future occurrence, and print the scheduler\\'s answer'",
            "complete -c waterclock -n '__fish_seen_subcommand_from skip' -l json"
                + " -d 'Print JSON, each object on one line'",
            "complete -c waterclock -n '__fish_seen_subcommand_from skip' -l prefix -r"
                + " -d 'The prefix of the topic names'",
            "complete -c waterclock -n '__fish_seen_subcommand_from calendar' -a put"
                + " -d 'Define a calendar, or redefine it, from a JSON or YAML file'");
  }

  @Test
  void another_shell_is_refused() {
    CliRun run = CliRun.of("completion", "tcsh");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(List.of(run.err())).first().asString().contains("BASH, ZSH, FISH");
  }
}
