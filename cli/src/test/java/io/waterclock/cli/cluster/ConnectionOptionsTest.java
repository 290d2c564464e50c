package io.waterclock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.cli.terminal.ErrorMessages;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.RootCommand;
import io.waterclock.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The sources of the client settings of a command. */
final class ConnectionOptionsTest {
  private static final String KEY = "sasl.jaas.config";
  private static final String LONGEST = "default.api.timeout.ms";

  @TempDir Path dir;

  /** A command with only these options. */
  @Command
  private static final class Any {
    @Mixin ConnectionOptions connection;

    Any(ConnectionOptions connection) {
      this.connection = connection;
    }
  }

  private final Map<String, String> environment = new HashMap<>(Map.of("PATH", "/bin"));

  @Test
  void a_password_may_be_in_a_file_of_its_own() throws IOException {
    Path secret = Files.writeString(dir.resolve("jaas"), "Login required password=\"x=y\";\n");
    assertThat(options("--property-file", KEY + "=" + secret).clientSettings())
        .containsEntry(KEY, "Login required password=\"x=y\";");
  }

  @Test
  void a_password_may_be_in_the_environment() {
    assertThat(options("--property-env", KEY + "=PATH").clientSettings())
        .containsEntry(KEY, "/bin");
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
  void a_timeout_may_be_an_option_or_a_setting_and_a_brokers_own_wins_over_the_setting()
      throws IOException {
    Path file = Files.writeString(dir.resolve("settings"), "timeout=20s\n");
    Path both = Files.writeString(dir.resolve("both"), "timeout=20s\n" + LONGEST + "=7\n");
    assertThat(options().timeout()).isEmpty();
    assertThat(options().clientSettings()).doesNotContainKey(LONGEST);
    assertTimeouts(options("--command-config=" + file), 20, 20_000);
    assertTimeouts(options("--command-config=" + both), 20, "7");
    assertTimeouts(options("--command-config=" + both, "--timeout=PT30S"), 30, 30_000);
    assertTimeouts(options("--timeout=PT30S", "--property=" + LONGEST + "=7"), 30, "7");
    assertThatThrownBy(() -> options("--timeout=PT0S").timeout())
        .isInstanceOf(Failure.class)
        .hasMessageContaining("within 1ms and 24d");
  }

  private static void assertTimeouts(ConnectionOptions options, long seconds, Object brokersMs) {
    assertThat(options.timeout()).contains(Duration.ofSeconds(seconds));
    assertThat(options.clientSettings())
        .containsEntry(LONGEST, brokersMs)
        .doesNotContainKey("timeout");
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

  /** Each row takes the place of the one before. */
  @Test
  void an_option_wins_over_a_variable_a_variable_over_the_file_and_that_over_the_context()
      throws IOException {
    assertThat(options().bootstrapServer()).isEqualTo("127.0.0.1:9092");
    assertThat(options().topics().prefix()).isEqualTo("waterclock");

    contexts().put("staging", Map.of("bootstrap.servers", "k:1", "prefix", "p1", KEY, "login"));
    assertThat(options().bootstrapServer()).isEqualTo("127.0.0.1:9092");
    contexts().use("staging");
    assertThat(options().clientSettings())
        .isEqualTo(Map.of("bootstrap.servers", "k:1", KEY, "login"));
    assertThat(options().topics().prefix()).isEqualTo("p1");

    Path file = Files.writeString(dir.resolve("settings"), "bootstrap.servers=k:2\nprefix=p2\n");
    String config = "--command-config=" + file;
    assertThat(options(config).clientSettings()).isEqualTo(Map.of("bootstrap.servers", "k:2"));
    assertThat(options(config).topics().prefix()).isEqualTo("p2");

    Path noBroker = Files.writeString(dir.resolve("noBroker"), "prefix=p2\n");
    assertThat(options("--command-config=" + noBroker).bootstrapServer()).isEqualTo("k:1");
    assertThat(options("--command-config=" + noBroker).topics().prefix()).isEqualTo("p2");

    environment.put("WATERCLOCK_BOOTSTRAP_SERVERS", "k:3");
    environment.put("WATERCLOCK_PREFIX", "p3");
    assertThat(options(config).bootstrapServer()).isEqualTo("k:3");
    assertThat(options().clientSettings()).isEqualTo(Map.of("bootstrap.servers", "k:3"));
    assertThat(options().topics().prefix()).isEqualTo("p3");

    assertThat(options("--bootstrap-server=k:4", "--prefix=p4").bootstrapServer()).isEqualTo("k:4");
    assertThat(options("--bootstrap-server=k:4", "--prefix=p4").topics().prefix()).isEqualTo("p4");
  }

  @Test
  void a_context_that_is_named_is_the_base_of_the_other_options() {
    contexts().put("staging", Map.of("bootstrap.servers", "k:1", "prefix", "p1", KEY, "login"));
    assertThat(options("--context=staging", "--bootstrap-server=k:2").clientSettings())
        .isEqualTo(Map.of("bootstrap.servers", "k:2", KEY, "login"));
    environment.put("WATERCLOCK_BOOTSTRAP_SERVERS", "k:3");
    assertThat(options("--context=staging").bootstrapServer()).isEqualTo("k:1");
    assertThat(options("--context=staging", "--bootstrap-server=k:2").bootstrapServer())
        .isEqualTo("k:2");
    environment.remove("WATERCLOCK_BOOTSTRAP_SERVERS");
    environment.put("WATERCLOCK_CONTEXT", "staging");
    assertThat(options().bootstrapServer()).isEqualTo("k:1");
    assertThatThrownBy(() -> options("--context=production").bootstrapServer())
        .isInstanceOf(Failure.class)
        .hasMessage(
            "There is no context production; there are staging. 'waterclock context set production"
                + " --bootstrap-server HOST:PORT' creates it.");
  }

  @Test
  void the_command_keeps_contexts_where_only_their_user_can_read_them() throws IOException {
    assertThat(context("set", "staging", "--bootstrap-server=k:1", "--property=" + KEY + "=a b"))
        .isEqualTo("staging: k:1\n");
    assertThat(context("set", "local", "--bootstrap-server=k:2", "--prefix=dev")).isNotEmpty();
    assertThat(context("use", "local")).isEqualTo("Commands use local now.\n");
    assertThat(context("list").lines().map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            "NAME BOOTSTRAP SERVERS PREFIX", "* local k:2 dev", "staging k:1 waterclock");
    assertThat(options("--context=staging").clientSettings()).containsEntry(KEY, "a b");
    try (Stream<Path> files = Files.list(dir.resolve("contexts"))) {
      assertThat(files)
          .hasSize(2)
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
    assertThat(context("delete", "local")).isEqualTo("local deleted\n");
    assertThat(options().bootstrapServer()).isEqualTo("127.0.0.1:9092");
    assertThat(context("use", "local")).contains("There is no context local");
    assertThat(context("set", "../x", "--bootstrap-server=k:1"))
        .contains("is no name of a context");
    assertThat(context("set", "x")).contains("The broker is missing");
  }

  private Contexts contexts() {
    return new Contexts(dir);
  }

  /** What the command prints. */
  private String context(String... words) {
    StringWriter out = new StringWriter();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintWriter(out),
            new PrintWriter(out),
            InstantSource.system(),
            false,
            false);
    new CommandLine(new RootCommand(terminal))
        .addSubcommand(new ContextCommand(contexts()))
        .setErr(terminal.err())
        .setExecutionExceptionHandler(ErrorMessages::ofExecution)
        .execute(Stream.concat(Stream.of("context"), Stream.of(words)).toArray(String[]::new));
    terminal.flush();
    return out.toString();
  }

  private ConnectionOptions options(String... words) {
    ConnectionOptions connection = new ConnectionOptions(environment::get, contexts());
    return CommandLine.populateCommand(new Any(connection), words).connection;
  }
}
