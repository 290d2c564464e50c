package io.waterclock.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waterclock.runtime.config.ConfigSources;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** deploy/systemd is what systemd takes, and its line starts a scheduler. */
@Timeout(300)
final class SystemdTest {
  private static final Path FILES = Path.of("systemd");
  private static final Path UNIT = FILES.resolve("waterclock.service");

  @TempDir Path dir;

  @Test
  void only_the_user_of_the_service_reads_its_files() throws IOException {
    assertThat(Files.readAllLines(UNIT)).contains("UMask=0077");
  }

  @Test
  void systemd_finds_nothing_wrong_with_the_unit() throws Exception {
    Path analyze = Path.of("/usr/bin/systemd-analyze");
    assumeTrue(Files.isExecutable(analyze), "systemd is not installed");
    Path launcher = Release.in(dir.resolve("release"));
    String unit = Files.readString(UNIT);
    assertThat(verify(analyze, unit.replace("/opt/waterclock/waterclock", launcher.toString())))
        .isEmpty();
    assertThat(
            verify(
                analyze,
                unit.replace("/opt/waterclock/waterclock", launcher.toString())
                    .replace("NoNewPrivileges", "NoPrivileges")))
        .contains("NoPrivileges");
  }

  private String verify(Path analyze, String unit) throws IOException, InterruptedException {
    Path file = Files.writeString(dir.resolve("waterclock.service"), unit);
    Process process =
        new ProcessBuilder(analyze.toString(), "verify", "--man=no", file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    process.waitFor();
    return said;
  }

  @Test
  void the_files_beside_it_hold_settings_of_the_scheduler() throws IOException {
    for (boolean all : List.of(false, true)) {
      Path file = uncommented("waterclock.properties", all);
      Map<String, String> environment = new HashMap<>();
      for (String line : Files.readAllLines(uncommented("waterclock.env", all))) {
        if (!line.startsWith("#") && !line.isBlank()) {
          String[] parts = line.split("=", 2);
          environment.put(parts[0], parts[1].replaceAll("^'|'$", ""));
        }
      }
      WaterclockConfig config =
          WaterclockConfig.parse(ConfigSources.gather(Optional.of(file), environment, Map.of()));
      assertThat(config.kafka().containsKey("sasl.jaas.config")).isEqualTo(all);
    }
  }

  /** Settings that wait behind a number sign are as right as others. */
  private Path uncommented(String name, boolean all) throws IOException {
    String text = Files.readString(FILES.resolve(name));
    return Files.writeString(
        dir.resolve(name), all ? text.replaceAll("(?m)^#(?=[A-Za-z._]+=)", "") : text);
  }

  @Test
  @Tag("all")
  void its_line_starts_a_scheduler_that_ends_when_it_is_told_to() throws Exception {
    int port = Ports.free();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0)) {
      Path settings =
          Files.writeString(
              dir.resolve("waterclock.properties"),
              Files.readString(FILES.resolve("waterclock.properties"))
                  .replaceAll("(?m)^(bootstrap.servers=).*", "$1" + kafka.bootstrapServers()));
      List<String> command =
          List.of(
              value("ExecStart")
                  .replace(
                      "/opt/waterclock/waterclock", Release.in(dir.resolve("release")).toString())
                  .replace("/etc/waterclock/waterclock.properties", settings.toString())
                  .split(" "));
      String[] variable = value("Environment").replace("%S", dir.toString()).split("=", 2);
      try (Service service =
          Service.start(
              command,
              Map.of(
                  variable[0],
                  variable[1],
                  "WATERCLOCK_PARTITIONS",
                  "1",
                  "WATERCLOCK_HEALTH_PORT",
                  Integer.toString(port)))) {
        service.awaitOk(URI.create("http://127.0.0.1:" + port + "/ready"));
        assertThat(dir.resolve("waterclock/state")).isDirectory();
        assertThat(service.terminate()).isZero();
      }
    }
  }

  private static String value(String key) throws IOException {
    Matcher found =
        Pattern.compile("^" + key + "=(.+)$", Pattern.MULTILINE).matcher(Files.readString(UNIT));
    assertThat(found.find()).as(key).isTrue();
    return found.group(1);
  }
}
