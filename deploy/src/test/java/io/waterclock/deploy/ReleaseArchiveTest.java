package io.waterclock.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive of a release, as someone unpacks it who has a Java runtime and nothing else. */
@Timeout(600)
final class ReleaseArchiveTest {
  private static final Path ARCHIVE =
      Path.of(Objects.requireNonNull(System.getProperty("waterclock.release")));

  /** What a runtime of Temurin 17 has, and thus no compiler. */
  private static final String RUNTIME =
      "java.se,jdk.accessibility,jdk.charsets,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.dynalink,"
          + "jdk.httpserver,jdk.jdwp.agent,jdk.jfr,jdk.localedata,jdk.management,"
          + "jdk.management.agent,jdk.management.jfr,jdk.naming.dns,jdk.naming.rmi,jdk.net,"
          + "jdk.nio.mapmode,jdk.sctp,jdk.security.auth,jdk.security.jgss,jdk.unsupported,"
          + "jdk.xml.dom,jdk.zipfs";

  @TempDir static Path dir;
  private static Path home;
  private static Map<String, String> environment = Map.of();

  @BeforeAll
  static void unpack() throws Exception {
    run("tar", "-xzf", ARCHIVE.toAbsolutePath().toString(), "-C", dir.toString());
    try (Stream<Path> roots = Files.list(dir)) {
      home = roots.toList().get(0);
    }
    Path jre = dir.resolve("jre");
    run(
        Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
        "--add-modules",
        RUNTIME,
        "--output",
        jre.toString());
    assertThat(jre.resolve("bin/javac")).doesNotExist();
    environment = Map.of("JAVA_HOME", jre.toString(), "PATH", "/usr/bin:/bin");
  }

  @Test
  void its_checksum_is_beside_it() throws Exception {
    Path folder = Objects.requireNonNull(ARCHIVE.toAbsolutePath().getParent());
    String checked = run("sh", "-c", "cd '" + folder + "' && sha512sum --check SHA512SUMS");
    assertThat(checked).isEqualToIgnoringNewLines(ARCHIVE.getFileName() + ": OK");
  }

  @Test
  void dev_and_run_work_with_a_runtime_alone() throws Exception {
    String launcher = home.resolve("waterclock").toString();
    int broker = Ports.free();
    String server = "127.0.0.1:" + broker;
    int devHealth = Ports.free();
    List<String> dev =
        List.of(
            launcher,
            "dev",
            "--port",
            Integer.toString(broker),
            "--data",
            dir.resolve("dev").toString(),
            "--set",
            "health.port=" + devHealth);
    int runHealth = Ports.free();
    List<String> run =
        List.of(
            launcher,
            "run",
            "--config",
            Files.writeString(
                    dir.resolve("waterclock.properties"),
                    Files.readString(home.resolve("deploy/systemd/waterclock.properties"))
                        .replaceAll("(?m)^(bootstrap.servers=).*", "$1" + server))
                .toString(),
            "--prefix",
            "second",
            "--set",
            "replication.factor=1",
            "--set",
            "partitions=1",
            "--set",
            "state.dir=" + dir.resolve("run"),
            "--set",
            "health.port=" + runHealth);
    try (Service first = Service.start(dev, environment)) {
      first.awaitOk(URI.create("http://127.0.0.1:" + devHealth + "/ready"));
      try (Service second = Service.start(run, environment)) {
        second.awaitOk(URI.create("http://127.0.0.1:" + runHealth + "/ready"));
        String put =
            run(
                launcher,
                "put",
                "hello",
                "--every=1s",
                "--timeout=2m",
                "--bootstrap-server=" + server,
                "--prefix=second");
        assertThat(put).contains("hello accepted");
        assertThat(second.terminate()).isZero();
      }
      assertThat(first.terminate()).isZero();
    }
  }

  @Test
  void a_shell_completes_with_its_script() throws Exception {
    String completions = home.resolve("completions").toString();
    assertThat(
            run(
                "bash",
                "-c",
                "source " + completions + "/waterclock.bash && complete -p waterclock"))
        .contains("waterclock");
    assertThat(Files.readString(home.resolve("completions/waterclock.fish")))
        .contains("complete -c waterclock", "-a put");
  }

  @Test
  void the_pages_that_the_readme_links_to_are_there() throws IOException {
    List<String> links =
        Pattern.compile("\\]\\((?!http)([^)#]+\\.md)")
            .matcher(Files.readString(home.resolve("README.md")))
            .results()
            .map(link -> link.group(1))
            .toList();
    assertThat(links).isNotEmpty().allSatisfy(link -> assertThat(home.resolve(link)).exists());
  }

  private static String run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
