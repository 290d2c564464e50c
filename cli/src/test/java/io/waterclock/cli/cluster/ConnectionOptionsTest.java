package io.waterclock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.cli.terminal.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The sources of the client settings of a command. */
final class ConnectionOptionsTest {
  private static final String KEY = "sasl.jaas.config";

  @TempDir Path dir;

  /** A command with only these options. */
  @Command
  private static final class Any {
    @Mixin ConnectionOptions connection = new ConnectionOptions();
  }

  @Test
  void a_password_may_be_in_a_file_of_its_own() throws IOException {
    Path secret = Files.writeString(dir.resolve("jaas"), "Login required password=\"x=y\";\n");
    assertThat(options("--property-file", KEY + "=" + secret).clientSettings())
        .containsEntry(KEY, "Login required password=\"x=y\";");
  }

  @Test
  void a_password_may_be_in_the_environment() {
    assertThat(options("--property-env", KEY + "=PATH").clientSettings())
        .containsEntry(KEY, System.getenv("PATH"));
  }

  @Test
  void all_win_over_the_file_of_settings_and_a_plain_one_over_all() throws IOException {
    Path file = Files.writeString(dir.resolve("settings"), KEY + "=file\nclient.id=file\n");
    Path secret = Files.writeString(dir.resolve("jaas"), "secret");
    ConnectionOptions options =
        options(
            "--command-config=" + file,
            "--property-file=" + KEY + "=" + secret,
            "--property-env=client.id=PATH",
            "--property=client.id=plain");
    assertThat(options.clientSettings())
        .containsEntry(KEY, "secret")
        .containsEntry("client.id", "plain");
  }

  @Test
  void a_missing_file_or_variable_is_named() {
    Path absent = dir.resolve("absent");
    assertThatThrownBy(() -> options("--property-file", KEY + "=" + absent).clientSettings())
        .isInstanceOf(Failure.class)
        .hasMessageContaining(absent.toString());
    assertThatThrownBy(() -> options("--property-env", KEY + "=NO_SUCH_VARIABLE").clientSettings())
        .isInstanceOf(Failure.class)
        .hasMessageContaining("NO_SUCH_VARIABLE");
  }

  private static ConnectionOptions options(String... words) {
    return CommandLine.populateCommand(new Any(), words).connection;
  }
}
