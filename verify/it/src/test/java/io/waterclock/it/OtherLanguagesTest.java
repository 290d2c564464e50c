package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Topics;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the examples of the documentation in other languages as they are written there, but for
 * addresses: each creates a schedule, does its fires, and does none again that comes again.
 */
@Timeout(600)
final class OtherLanguagesTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final Path DOCS = Path.of("..", "..", "docs");
  private static final Path SCHEMAS =
      Path.of("..", "..", "schemas/src/main/resources/io/waterclock/schemas/published/v1");
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
  private static final String FIRES = Topics.ofDefault().fires();
  private static final Path NPM = Path.of("target", "js");
  private static final Path CLIENT = Path.of("..", "..", "client");

  /** Debian's, which has Debian's packages. */
  private static final String PYTHON = "/usr/bin/python3";

  @TempDir Path dir;

  @Test
  @Tag("all")
  void a_shell_with_kcat_does_each_fire_once() throws Exception {
    assumeIsHere("kcat");
    runs("consuming.md", "### Shell", "json", "sh", "did shell/heartbeat|TIME");
  }

  @Test
  @Tag("all")
  void node_does_each_fire_once_with_json() throws Exception {
    node("JSON", "json", "js");
  }

  @Test
  @Tag("all")
  void node_does_each_fire_once_with_avro() throws Exception {
    node("Avro", "avro", "avro");
  }

  private void node(String heading, String format, String payload) throws Exception {
    installNpmPackages();
    runs("node.md", "## " + heading, format, "node", "did js/heartbeat|TIME " + payload);
  }

  @Test
  void python_does_each_fire_once_with_json() throws Exception {
    python("JSON", "json", "python");
  }

  @Test
  @Tag("all")
  void python_does_each_fire_once_with_avro() throws Exception {
    python("Avro", "avro", "avro");
  }

  private void python(String heading, String format, String payload) throws Exception {
    assumeTrue(
        new ProcessBuilder(PYTHON, "-c", "import confluent_kafka, avro").start().waitFor() == 0,
        "python3-confluent-kafka and python3-avro are not installed, so their examples are not run");
    runs("python.md", "## " + heading, format, PYTHON, "did python/heartbeat|TIME " + payload);
  }

  private void runs(String page, String heading, String format, String program, String shown)
      throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0)) {
      Path script = write(example(page, heading, kafka, ""));
      run(kafka, Map.of("format", format), List.of(program, script.toString()), shown);
    }
  }

  @Test
  @Tag("all")
  void node_with_a_registry_does_each_fire_once() throws Exception {
    installNpmPackages();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
        RegistryProcess registry = RegistryProcess.start(dir)) {
      Path script =
          write(example("node.md", "## Avro with a schema registry", kafka, registry.url()));
      Map<String, String> settings =
          Map.of("format", "avro-registry", "schema.registry.url", registry.url());
      run(kafka, settings, List.of("node", script.toString()), "did js/heartbeat|TIME registry");
    }
  }

  /**
   * Runs an example until it has done some fires, one of which has come twice.
   *
   * @param shown what it prints for each
   */
  private void run(
      EmbeddedKafka kafka, Map<String, String> settings, List<String> command, String shown)
      throws Exception {
    String servers = kafka.bootstrapServers();
    Map<String, String> all = new HashMap<>(settings);
    all.put("bootstrap.servers", servers);
    all.put("partitions", "1");
    all.put("state.dir", dir.resolve("state").toString());
    all.put("health.port", "0");
    Path output = dir.resolve("example.out");
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(all))) {
      await().atMost(BOUND).until(scheduler::isReady);
      fireOfAnotherService(servers);
      ProcessBuilder builder = new ProcessBuilder(command);
      String packages = CLIENT.resolve("python").toAbsolutePath().toString();
      builder.environment().put("PYTHONPATH", packages);
      builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
      Process example =
          builder
              .directory(dir.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try (TopicReader<byte[]> fires = new TopicReader<>(servers, FIRES, value -> value);
          Producing again = new Producing(servers, FIRES)) {
        await().atMost(BOUND).until(() -> done(output).size() > 1);
        TopicReader.Entry<byte[]> first = fires.toEnd().get(1);
        again.send(first.key().map(OtherLanguagesTest::utf8), first.value(), first.headers());
        int until = fires.toEnd().size() + 1;
        await().atMost(BOUND).until(() -> done(output).size() > until);
        assertThat(done(output))
            .doesNotHaveDuplicates()
            .allSatisfy(line -> assertThat(TIME.matcher(line).replaceAll("TIME")).isEqualTo(shown));
        List<String> keys = fires.toEnd().stream().flatMap(entry -> entry.key().stream()).toList();
        assertThat(keys).as("one came twice").hasSizeGreaterThan(new HashSet<>(keys).size());
      } finally {
        example.descendants().forEach(ProcessHandle::destroyForcibly);
        example.destroyForcibly().waitFor();
      }
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(Files.readString(output), e);
    }
  }

  /** With a payload of another form, and before the fires of the example. */
  private static void fireOfAnotherService(String servers) throws Exception {
    try (Producing definitions = new Producing(servers, "waterclock.schedules");
        TopicReader<byte[]> fires = new TopicReader<>(servers, FIRES, value -> value)) {
      definitions.put("other", "{\"in\":\"0s\"}");
      await().atMost(BOUND).until(() -> fires.toEnd().size() == 1);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> done(Path output) throws IOException {
    return Files.readAllLines(output).stream().filter(line -> line.startsWith("did ")).toList();
  }

  /** The code block under a heading of a page, for this test's servers. */
  private static String example(String page, String heading, EmbeddedKafka kafka, String registry)
      throws IOException {
    Matcher block =
        Pattern.compile("\n" + heading + "\n.*?\n```\\w+\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCS.resolve(page)));
    assertThat(block.find()).as(heading).isTrue();
    return block
        .group(1)
        .replace("127.0.0.1:9092", kafka.bootstrapServers())
        .replace("http://127.0.0.1:8081", registry);
  }

  /** Where a script finds what it needs. */
  private Path write(String script) throws IOException {
    if (Files.exists(NPM)) {
      Files.createSymbolicLink(
          dir.resolve("node_modules"), NPM.resolve("node_modules").toAbsolutePath());
    }
    for (String schema : List.of("Schedule.avsc", "Fire.avsc")) {
      Files.copy(SCHEMAS.resolve(schema), dir.resolve(schema));
    }
    return Files.writeString(dir.resolve("example.mjs"), script);
  }

  /** What {@code package-lock.json} says, and no install scripts. Once for a build. */
  private static synchronized void installNpmPackages() throws Exception {
    assumeIsHere("node");
    assumeIsHere("npm");
    Path source = Path.of("src", "test", "js");
    Path marker = NPM.resolve("node_modules").resolve(".package-lock.json");
    Files.createDirectories(NPM);
    for (String name : List.of("package.json", "package-lock.json")) {
      Files.write(NPM.resolve(name), Files.readAllBytes(source.resolve(name)));
    }
    if (!Files.exists(marker)) {
      npmCi();
    }
    // a copy, because Node looks for kafkajs beside the file that a link leads to
    Path ours = Files.createDirectories(NPM.resolve("node_modules").resolve("waterclock"));
    for (String name : List.of("package.json", "index.js", "kafka.js")) {
      Files.write(ours.resolve(name), Files.readAllBytes(CLIENT.resolve("node").resolve(name)));
    }
  }

  private static void npmCi() throws Exception {
    File log = NPM.resolve("npm.log").toFile();
    Process npm =
        new ProcessBuilder(
                "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
            .directory(NPM.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    assertThat(npm.waitFor()).as(() -> "npm ci failed, see " + log).isZero();
  }

  private static void assumeIsHere(String program) {
    boolean isHere =
        Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeTrue(isHere, () -> program + " is not installed, so the examples with it are not run");
  }
}
