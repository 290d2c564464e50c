package io.waterclock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.worker.FireWorker;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service in a JVM of its own, with the client's runtime dependencies on its class path and
 * without a single flag: Avro refuses generated records that it is not configured to trust in some
 * versions, and a library must not ask its users for a system property.
 */
@Timeout(600)
final class NoFlagsTest {
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir Path dir;

  @Test
  void a_service_needs_nothing_but_the_client_on_its_class_path() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0)) {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
        admin.createTopics(List.of(new NewTopic("elsewhere", 1, (short) 1))).all().get();
      }
      try (Waterclock scheduler =
          Waterclock.start(
              WaterclockConfig.parse(
                  Map.of(
                      "bootstrap.servers", kafka.bootstrapServers(),
                      "partitions", "1",
                      "state.dir", dir.resolve("state").toString(),
                      "targets.allow", "elsewhere",
                      "health.port", "off")))) {
        await().atMost(BOUND).until(scheduler::isReady);
        Path out = dir.resolve("service.out");
        Process service = service(kafka.bootstrapServers(), out);
        boolean ended = service.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
        service.destroyForcibly();
        assertThat(ended).as(Files.readString(out)).isTrue();
        assertThat(Files.readAllLines(out))
            .contains("did tea REPLAY", "put true", "fires 1", "worker RUNNING")
            .anyMatch(line -> line.matches("state (ACTIVE|COMPLETED)"));
        assertThat(service.exitValue()).isZero();
      }
    }
  }

  private static Process service(String bootstrapServers, Path out) throws Exception {
    Path tests = folder(PlainService.class);
    String libraries = Files.readString(tests.resolveSibling("runtime.classpath"));
    assertThat(libraries)
        .as("the class path of a service")
        .contains("kafka-clients")
        .doesNotContain("kafka-streams", "slf4j-simple", "testkit", "h2-", "postgresql");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            String.join(
                File.pathSeparator,
                tests.toString(),
                folder(FireWorker.class).toString(),
                libraries),
            PlainService.class.getName(),
            bootstrapServers);
    List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
    return builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
  }

  private static Path folder(Class<?> ours) throws Exception {
    return Path.of(ours.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
