package io.waterclock.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A process as a supervisor runs it: a command, an environment, SIGTERM at the end. */
final class Service implements AutoCloseable {
  /** For a small heap and a short life. */
  static final String JAVA_OPTS =
      "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions"
          + " -XX:-BytecodeVerificationRemote";

  private static final Duration BOUND = Duration.ofMinutes(3);

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private Service(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "service-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * @param environment beside which it gets the path and the Java of this process, and nothing else
   */
  static Service start(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> variables = builder.environment();
    String path = variables.getOrDefault("PATH", "/usr/bin:/bin");
    variables.clear();
    variables.put("PATH", path);
    variables.put("JAVA_HOME", System.getProperty("java.home"));
    variables.put("JAVA_OPTS", JAVA_OPTS);
    variables.putAll(environment);
    return new Service(builder.start());
  }

  /** The status of a page; 0 if nothing answers. */
  static int status(URI page) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(page).timeout(Duration.ofSeconds(5)).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  /** Returns when a page answers with 200. */
  void awaitOk(URI page) {
    await().atMost(BOUND).until(() -> !process.isAlive() || status(page) == 200);
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "ended with " + process.exitValue() + ":\n" + String.join("\n", lines));
    }
  }

  /** Sends SIGTERM, and returns the exit code; what the process prints as it ends is still read. */
  int terminate() throws InterruptedException {
    process.toHandle().destroy();
    if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("still running after SIGTERM: " + lines);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private void read() {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("reading its output ended: " + e);
    }
  }
}
