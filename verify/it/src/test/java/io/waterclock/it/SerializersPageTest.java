package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the four programs of docs/serializers.md, each in a JVM of its own, against a broker, a
 * scheduler and a registry.
 */
final class SerializersPageTest {
  private static final Duration LONG = Duration.ofMinutes(4);
  private static final Map<String, String> BROKER = Map.of("group.min.session.timeout.ms", "500");
  private static final Pattern SNIPPET =
      Pattern.compile("^```java\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

  @TempDir Path dir;

  @Test
  @Tag("all")
  void a_schedule_of_our_serializer_fires_and_our_deserializer_reads_its_fires() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER);
        Waterclock scheduler = start(kafka, Map.of("format", "json"))) {
      await().atMost(LONG).until(scheduler::isReady);
      runs(program(0, kafka.bootstrapServers(), ""), "");
      printed(program(1, kafka.bootstrapServers(), ""), "", "reports/often is due at ");
    }
  }

  @Test
  @Tag("all")
  void confluents_serializer_and_deserializer_do_so_through_a_registry() throws Exception {
    String confluent =
        Path.of(System.getProperty("waterclock.peers", "none"), "confluent.jar").toString();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER);
        RegistryProcess registry = RegistryProcess.start(dir);
        Waterclock scheduler =
            start(
                kafka, Map.of("format", "avro-registry", "schema.registry.url", registry.url()))) {
      await().atMost(LONG).until(scheduler::isReady);
      runs(program(2, kafka.bootstrapServers(), registry.url()), confluent);
      printed(
          program(3, kafka.bootstrapServers(), registry.url()),
          confluent,
          "reports/registry is due at ");
    }
  }

  private Waterclock start(EmbeddedKafka kafka, Map<String, String> settings) {
    return Waterclock.start(
        new Tenant(kafka.bootstrapServers(), "waterclock", dir).config(settings));
  }

  /** A program of the page as a file with a main method. */
  private Path program(int number, String brokers, String registry) throws IOException {
    List<String> snippets =
        SNIPPET
            .matcher(Files.readString(Path.of("..", "..", "docs", "serializers.md")))
            .results()
            .map(MatchResult::group)
            .map(text -> text.replaceAll("(?m)^```(java)?\n?", ""))
            .toList();
    assertThat(snippets).hasSize(4);
    String text =
        snippets
            .get(number)
            .replace("localhost:9092", brokers)
            .replace("http://localhost:8081", registry);
    int body = text.lastIndexOf("\nimport ");
    body = text.indexOf('\n', body + 1) + 1;
    Path file = dir.resolve("Program" + number + ".java");
    return Files.writeString(
        file,
        text.substring(0, body)
            + "public class Program%d { public static void main(String[] args) throws Exception {\n"
                .formatted(number)
            + text.substring(body)
            + "} }\n");
  }

  private Process start(Path program, String classes) throws IOException {
    String path = System.getProperty("java.class.path") + File.pathSeparator + classes;
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            path,
            program.toString())
        .redirectError(errors().toFile())
        .redirectOutput(dir.resolve("program.out").toFile())
        .start();
  }

  private Path errors() {
    return dir.resolve("program.err");
  }

  private void runs(Path program, String classes) throws IOException, InterruptedException {
    Process process = start(program, classes);
    assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors())).isZero();
  }

  private void printed(Path program, String classes, String beginning) throws IOException {
    Process process = start(program, classes);
    try {
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(process.isAlive()).as(Files.readString(errors())).isTrue();
                assertThat(Files.readAllLines(dir.resolve("program.out")))
                    .anyMatch(line -> line.startsWith(beginning));
              });
    } finally {
      process.destroyForcibly();
    }
  }
}
