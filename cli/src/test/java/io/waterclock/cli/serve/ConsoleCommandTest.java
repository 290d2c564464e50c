package io.waterclock.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.terminal.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
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
        "--access rules.txt | needs --tokens, --identity-header or --openid-issuer",
        "--openid-issuer https://id.example.com --openid-client c | --openid-issuer, --openid-client and --url belong together",
        "--openid-issuer http://id.example.com --openid-client c --url https://c.example.com | must be an https address",
        "--openid-issuer https://id.example.com --openid-client c --url https://c.example.com/path | must have no path",
        "--openid-groups roles | need --openid-issuer",
        "--openid-issuer https://i.example.com --openid-client c --url https://c.example.com --identity-header X --trusted-proxy 10.0.0.1 | not both",
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "console=yes | console: \"yes\" is neither on nor off",
        "console=on console.port=http | console.port: \"http\" is not a whole number",
        "console=on console.memory=1 | console.memory must be from 8 to ",
        "console=on console.memory=1000000 | two thirds of the heap",
        "console=on console.role=admin | console.role: \"admin\" is not viewer, operator or editor",
        "console=on console.hots=a | console.hots: is no setting of the console; did you mean console.host?",
        "console=off console.hots=a | did you mean console.host?",
        "console=on console.host=0.0.0.0 | console.tokens, console.identity.header or console.openid.issuer must say who asks",
        "console=on console.identity.header=X-User | console.identity.header and console.trusted.proxy belong together"
      })
  void settings_of_an_instance_are_held_to_the_same_rules(String settings, String reason) {
    assertThatThrownBy(() -> ConsoleSettings.take(settings(settings)))
        .isInstanceOf(Failure.class)
        .hasMessageContaining(reason);
  }

  @Test
  void an_instance_serves_a_console_only_if_a_setting_says_so() {
    assertThat(ConsoleSettings.take(settings("prefix=a"))).isEmpty();
    Map<String, String> all =
        settings(
            "prefix=a console=on console.port=0 console.allow.host=a,b console.fires=5"
                + " console.memory=20");
    assertThat(ConsoleSettings.take(all))
        .hasValueSatisfying(
            options -> {
              assertThat(options.port).isZero();
              assertThat(options.hosts).containsExactly("a", "b");
              assertThat(options.fires).isEqualTo(5);
              assertThat(options.settings(ZoneOffset.UTC, InstantSource.system()).limits().bytes())
                  .isEqualTo(20_000_000);
              assertThat(options.onlyReads()).isTrue();
            });
    assertThat(all).as("what is left is the scheduler's").containsOnlyKeys("prefix");
  }

  @Test
  void a_console_fills_a_part_of_the_heap_unless_a_setting_says_how_much() {
    long heap = Runtime.getRuntime().maxMemory();
    assertThat(
            ConsoleSettings.take(settings("console=on"))
                .orElseThrow()
                .settings(ZoneOffset.UTC, InstantSource.system()))
        .extracting(settings -> settings.limits().bytes())
        .isEqualTo(heap / 4);
    assertThat(
            new ConsoleOptions().settings(ZoneOffset.UTC, InstantSource.system()).limits().bytes())
        .isEqualTo(heap / 2);
  }

  private static Map<String, String> settings(String text) {
    Map<String, String> settings = new HashMap<>();
    for (String one : text.split(" ")) {
      settings.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
    }
    return settings;
  }

  private static CliRun run(String... options) {
    return CliRun.of(
        Stream.concat(Stream.of("console"), Stream.of(options)).toArray(String[]::new));
  }
}
