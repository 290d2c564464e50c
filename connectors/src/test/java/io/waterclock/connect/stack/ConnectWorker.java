package io.waterclock.connect.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.cli.ConnectDistributed;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A distributed Connect worker of one, started as Kafka's own script starts it, and steered through
 * its REST API. It has nothing on its class path but Connect: the plug-ins bring the rest.
 */
public final class ConnectWorker implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Path LOG = Path.of("target", "connect.log");

  /** Connect needs these itself, in whichever version it has. */
  private static final List<String> OF_CONNECT_TOO = List.of("jackson-", "commons-lang3-");

  private final Path settings;
  private final String address;
  private final List<String> options;
  private final String classPath;
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Process process;

  /**
   * @param dir for its settings
   * @param port of its REST API, on 127.0.0.1
   * @param shipped the settings of a worker, as a file
   * @param changes what is otherwise on this machine
   * @param options of its JVM
   */
  public ConnectWorker(
      Path dir, int port, Path shipped, Map<String, String> changes, List<String> options)
      throws IOException {
    this.address = "http://127.0.0.1:" + port;
    this.options = List.copyOf(options);
    this.classPath = without(Plugins.jars());
    this.settings = dir.resolve("connect-distributed.properties");
    Files.deleteIfExists(LOG);
    Properties all = new Properties();
    try (Reader file = Files.newBufferedReader(shipped)) {
      all.load(file);
    }
    all.putAll(changes);
    all.setProperty("listeners", address);
    try (Writer file = Files.newBufferedWriter(settings)) {
      all.store(file, null);
    }
  }

  private static String without(Set<String> ours) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(Files::isRegularFile)
        .filter(jar -> isOfConnect(jar.getFileName().toString(), ours))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isOfConnect(String jar, Set<String> ours) {
    return !jar.startsWith("waterclock")
        && (!ours.contains(jar) || OF_CONNECT_TOO.stream().anyMatch(jar::startsWith));
  }

  public void start() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(List.of("-Dorg.slf4j.simpleLogger.showDateTime=true", "-cp", classPath));
    command.addAll(List.of(ConnectDistributed.class.getName(), settings.toString()));
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(LOG.toFile()))
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
      process = started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns when it takes connectors and runs them. */
  public void awaitReady() {
    eventually(request("/health").build());
  }

  /** Creates or changes a connector, from a file of the configurations that we ship. */
  public void connect(Path file, Map<String, String> changes) throws IOException {
    JsonNode shipped = JSON.readTree(Files.readString(file));
    ObjectNode config = (ObjectNode) shipped.get("config");
    changes.forEach(config::put);
    eventually(
        request("/connectors/" + shipped.get("name").asText() + "/config")
            .PUT(HttpRequest.BodyPublishers.ofString(config.toString()))
            .build());
  }

  private void eventually(HttpRequest request) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(300))
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> Assertions.assertThat(send(request)).isNotEmpty());
  }

  /** What a page of its REST API says. */
  public String get(String path) throws IOException, InterruptedException {
    return send(request(path).build());
  }

  /** What the tasks that have failed say of it. */
  public List<String> failures() throws IOException, InterruptedException {
    List<String> failures = new ArrayList<>();
    for (JsonNode connector : JSON.readTree(get("/connectors?expand=status"))) {
      for (JsonNode task : connector.at("/status/tasks")) {
        if (task.path("state").asText().equals("FAILED")) {
          failures.add(connector.at("/status/name").asText() + ": " + task.path("trace").asText());
        }
      }
    }
    return failures;
  }

  /** Has those tasks of a connector that have failed read on where they ended. */
  public void restartFailed(String connector) throws IOException, InterruptedException {
    send(
        request("/connectors/" + connector + "/restart?includeTasks=true&onlyFailed=true")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(20));
  }

  private String send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == 400) {
      throw new IllegalArgumentException(answer.body());
    }
    if (answer.statusCode() >= 300) {
      throw new IOException("HTTP " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  /** Ends it as a crash does; it may be started again. */
  @Override
  public void close() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
  }
}
