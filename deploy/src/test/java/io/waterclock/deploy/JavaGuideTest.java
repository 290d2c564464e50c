package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/java.md in an empty directory, with Maven as a user has it: the files of the page
 * and nothing else.
 */
@Timeout(600)
final class JavaGuideTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final Pattern POM = Pattern.compile("(?s)```xml\n(<project.*?)```");
  private static final Pattern FILE = Pattern.compile("(?s)```java\n(package .*?)```");
  private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?class (\\w+)");

  @TempDir static Path dir;

  @Test
  void the_page_leads_from_an_empty_directory_to_a_fire() throws Exception {
    Path project = Files.createDirectory(dir.resolve("first-fire"));
    writePage(project);
    try (LocalRepository repository = LocalRepository.in(dir.resolve("repository"));
        EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
        Waterclock scheduler =
            Waterclock.start(
                WaterclockConfig.parse(
                    Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "partitions",
                        "1",
                        "state.dir",
                        dir.resolve("state").toString(),
                        "health.port",
                        "off")))) {
      await().atMost(BOUND).until(scheduler::isReady);
      assertThat(
              maven(
                  project,
                  "-q",
                  "-B",
                  "-Dmaven.repo.local=" + repository.root(),
                  "-Dexec.args=" + kafka.bootstrapServers(),
                  "test",
                  "exec:java"))
          .contains("accepted, fires in 2 seconds", "fired: hello");
    }
    assertThat(project.resolve("target/surefire-reports/com.example.ReportTest.txt"))
        .content()
        .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
  }

  private static void writePage(Path project) throws IOException {
    String page = Files.readString(Documents.ROOT.resolve("docs/java.md"));
    Files.writeString(project.resolve("pom.xml"), first(POM, page));
    for (String file : FILE.matcher(page).results().map(found -> found.group(1)).toList()) {
      String name = first(CLASS, file);
      Path target =
          project.resolve(
              "src/%s/java/com/example/%s.java"
                  .formatted(name.endsWith("Test") ? "test" : "main", name));
      Files.createDirectories(target.getParent());
      Files.writeString(target, file);
    }
  }

  private static String first(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().orElseThrow().group(1);
  }

  /** The output of a run of Maven that succeeds. */
  private static String maven(Path project, String... arguments) throws Exception {
    Path mvn = Path.of(System.getProperty("waterclock.maven", "maven.home"), "bin", "mvn");
    Path log = dir.resolve("maven.log");
    ProcessBuilder command =
        new ProcessBuilder(Stream.concat(Stream.of(mvn.toString()), Stream.of(arguments)).toList())
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    command.environment().put("JAVA_HOME", System.getProperty("java.home"));
    command.environment().keySet().removeAll(List.of("MAVEN_OPTS", "MAVEN_ARGS"));
    Process process = command.start();
    boolean ended = process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
    int exitCode = process.destroyForcibly().waitFor();
    String output = Files.readString(log);
    assertThat(ended).as(output).isTrue();
    assertThat(exitCode).as(output).isZero();
    return output;
  }
}
