package io.waterclock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.TestRegistry;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A service in a JVM of its own, with each supported version of kafka-clients, with the client's
 * other runtime dependencies, and without a single flag: a service's framework decides about the
 * version of Kafka's clients, Avro refuses generated records that it is not configured to trust in
 * some versions, and a library must not ask its users for a system property.
 */
@Timeout(600)
@Tag("all")
final class KafkaVersionsTest {
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir static Path dir;
  static EmbeddedKafka kafka;
  static TestRegistry registry;
  static Waterclock scheduler;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
    registry = TestRegistry.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("elsewhere", 1, (short) 1))).all().get();
    }
    scheduler =
        Waterclock.start(
            WaterclockConfig.parse(
                Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "partitions", "1",
                    "state.dir", dir.resolve("state").toString(),
                    "format", "avro-registry",
                    "schema.registry.url", registry.url(),
                    "targets.allow", "elsewhere",
                    "health.port", "off")));
    await().atMost(BOUND).until(scheduler::isReady);
  }

  @AfterAll
  static void stop() {
    scheduler.close();
    registry.close();
    kafka.close();
  }

  /** The jars that the build has put beside the tests, and the version of the scheduler. */
  private static Stream<String> versions() throws Exception {
    List<String> libraries = Arrays.asList(libraries().split(File.pathSeparator));
    String ours =
        libraries.stream().filter(jar -> jar.contains("kafka-clients")).findFirst().orElseThrow();
    try (Stream<Path> others = Files.list(tests().resolveSibling("kafka-clients"))) {
      List<String> jars =
          Stream.concat(others.map(Path::toString).sorted(), Stream.of(ours)).toList();
      assertThat(jars).as("versions of kafka-clients").hasSize(6);
      return jars.stream();
    }
  }

  @Test
  void a_service_needs_nothing_but_the_client_and_the_oldest_kafka_on_its_class_path()
      throws Exception {
    serve(versions().findFirst().orElseThrow());
  }

  @ParameterizedTest
  @MethodSource("laterVersions")
  void a_service_runs_with_later_versions_too(String kafkaClients) throws Exception {
    serve(kafkaClients);
  }

  static Stream<String> laterVersions() throws Exception {
    return versions().skip(1);
  }

  private static void serve(String kafkaClients) throws Exception {
    String version = kafkaClients.replaceAll(".*kafka-clients-(.*)\\.jar", "$1");
    Path out = dir.resolve(version + ".out");
    Process service = service(kafkaClients, out);
    boolean ended = service.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
    service.destroyForcibly();
    assertThat(ended).as(Files.readString(out)).isTrue();
    assertThat(Files.readAllLines(out))
        .contains(
            "kafka-clients " + version,
            "did " + version + "/plain tea REPLAY",
            "did " + version + "/registered tea REPLAY",
            "did " + version + "/committed tea REPLAY",
            "put true",
            "fires 1",
            "answer to a wrong definition " + Answer.Rejected.class,
            "answer to a command true",
            "committed true",
            "aborted true",
            "worker RUNNING",
            "methods true",
            version.startsWith("3.") || version.startsWith("4.0") || version.startsWith("4.1")
                ? "unordered a worker without order needs share groups of kafka-clients 4.2 or"
                    + " later, and the class path has "
                    + version
                    + ": leave unordered() out, or update kafka-clients"
                : "unordered RUNNING")
        .anyMatch(line -> line.matches("state (ACTIVE|COMPLETED)"));
    assertThat(service.exitValue()).isZero();
  }

  private static Process service(String kafkaClients, Path out) throws Exception {
    String others =
        Stream.of(libraries().split(File.pathSeparator))
            .filter(jar -> !jar.contains("kafka-clients"))
            .reduce(kafkaClients, (all, jar) -> all + File.pathSeparator + jar);
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "-cp",
            tests() + File.pathSeparator + others,
            PlainService.class.getName(),
            kafka.bootstrapServers(),
            registry.url());
    List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
    return builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
  }

  private static String libraries() throws Exception {
    String libraries = Files.readString(tests().resolveSibling("runtime.classpath")).strip();
    assertThat(libraries)
        .as("the class path of a service")
        .contains("kafka-clients")
        .doesNotContain("kafka-streams", "slf4j-simple", "testkit", "h2-", "postgresql");
    return libraries;
  }

  private static Path tests() throws Exception {
    return Path.of(PlainService.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
