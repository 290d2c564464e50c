package io.waterclock.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConsoleCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--host 0.0.0.0 | must say who asks",
        "--host 10.1.2.3 --role EDITOR | must say who asks",
        "--access rules.txt | needs --tokens or --identity-header",
        "--tokens t --identity-header X-User --trusted-proxy 10.0.0.1 | not both",
        "--identity-header X-User | belong together",
        "--trusted-proxy 10.0.0.1 | belong together",
        "--tokens t --access a --role VIEWER | not both",
        "--port 70000 | from 0 (any free port) to 65535",
        "--fires 0 | at least 1"
      })
  void options_that_would_let_people_in_by_mistake_are_refused(String options, String reason) {
    CliRun run = run(options.split(" "));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(reason);
  }

  @Test
  void files_of_rules_and_tokens_are_checked_before_the_start(@TempDir Path dir)
      throws IOException {
    Path tokens = Files.writeString(dir.resolve("tokens"), "ann short\n");
    CliRun run = run("--tokens", tokens.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("line 1", "fewer than 16").doesNotContain("short\n");
    Files.writeString(tokens, "ann 0123456789abcdef\n");
    Path access = Files.writeString(dir.resolve("access"), "admin ann\nviewer\n");
    run = run("--tokens", tokens.toString(), "--access", access.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("line 1", "line 2", "operator ann billing/");
    assertThat(run("--tokens", dir.resolve("none").toString()).err()).contains("cannot be read");
  }

  private static CliRun run(String... options) {
    return CliRun.of(
        Stream.concat(Stream.of("console"), Stream.of(options)).toArray(String[]::new));
  }
}
