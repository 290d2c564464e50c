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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/java.md and docs/spring.md in empty directories, with Maven as a user has it: the
 * files of the page and nothing else.
 */
@Timeout(600)
final class JavaGuideTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final Pattern POM = Pattern.compile("(?s)```xml\n(<project.*?)```");
  private static final Pattern FILE = Pattern.compile("(?s)```java\n(package .*?)```");
  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
  private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?class (\\w+)");

  @TempDir static Path dir;
  private static LocalRepository repository;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() throws IOException {
    repository = LocalRepository.in(dir.resolve("repository"));
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
  }

  @AfterAll
  static void stop() throws IOException {
    kafka.close();
    repository.close();
  }

  @Test
  @Tag("all")
  void the_page_leads_from_an_empty_directory_to_a_fire() throws Exception {
    Path project = project("java.md");
    try (Waterclock scheduler =
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
      Path log = dir.resolve("java.log");
      Process maven =
          maven(
              project,
              log,
              Map.of(),
              "-Dexec.args=" + kafka.bootstrapServers(),
              "test",
              "exec:java");
      boolean ended = maven.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
      int exitCode = maven.destroyForcibly().waitFor();
      String output = Files.readString(log);
      assertThat(ended).as(output).isTrue();
      assertThat(exitCode).as(output).isZero();
      assertThat(output).contains("accepted, fires in 2 seconds", "fired: hello");
    }
    assertThat(project.resolve("target/surefire-reports/com.example.ReportTest.txt"))
        .content()
        .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
  }

  @Test
  @Tag("all")
  void ten_lines_with_spring_lead_from_an_empty_directory_to_a_fire() throws Exception {
    Path project = project("spring.md");
    Path file = project.resolve("src/main/java/hello/Hello.java");
    assertThat(
            Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("import ")))
        .as("beside imports")
        .hasSizeLessThanOrEqualTo(10);
    Path log = dir.resolve("spring.log");
    Process maven =
        maven(
            project,
            log,
            Map.of(
                "SPRING_KAFKA_BOOTSTRAP_SERVERS",
                kafka.bootstrapServers(),
                "WATERCLOCK_PREFIX",
                "hello"),
            "compile",
            "spring-boot:run");
    try {
      await()
          .atMost(BOUND)
          .until(() -> !maven.isAlive() || Files.readString(log).contains("It is "));
      assertThat(Files.readString(log)).contains("It is ");
    } finally {
      List<ProcessHandle> application = maven.descendants().toList();
      maven.destroy();
      assertThat(maven.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
      application.forEach(ProcessHandle::destroy);
      await().atMost(BOUND).until(() -> application.stream().noneMatch(ProcessHandle::isAlive));
    }
  }

  /** The pom and the files with a package of a page, and nothing else. */
  private static Path project(String name) throws IOException {
    Path project = Files.createDirectory(dir.resolve(name.replace(".md", "")));
    String page = Files.readString(Documents.ROOT.resolve("docs").resolve(name));
    Files.writeString(project.resolve("pom.xml"), first(POM, page));
    for (String file : FILE.matcher(page).results().map(found -> found.group(1)).toList()) {
      String type = first(CLASS, file);
      Path target =
          project.resolve(
              "src/%s/java/%s/%s.java"
                  .formatted(
                      type.endsWith("Test") ? "test" : "main",
                      first(PACKAGE, file).replace('.', '/'),
                      type));
      Files.createDirectories(target.getParent());
      Files.writeString(target, file);
    }
    return project;
  }

  private static String first(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().orElseThrow().group(1);
  }

  private static Process maven(
      Path project, Path log, Map<String, String> variables, String... arguments)
      throws IOException {
    Path mvn = Path.of(System.getProperty("waterclock.maven", "maven.home"), "bin", "mvn");
    ProcessBuilder command =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            mvn.toString(), "-q", "-B", "-Dmaven.repo.local=" + repository.root()),
                        Stream.of(arguments))
                    .toList())
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    command.environment().putAll(variables);
    command.environment().put("JAVA_HOME", System.getProperty("java.home"));
    command.environment().keySet().removeAll(List.of("MAVEN_OPTS", "MAVEN_ARGS"));
    // which the JVMs that Maven starts have, too
    command
        .environment()
        .put(
            "JAVA_TOOL_OPTIONS",
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions"
                + " -XX:-BytecodeVerificationRemote");
    return command.start();
  }
}
