package io.waterclock.it;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.core.ConditionTimeoutException;

/** A scheduler in a process of its own, which a test may kill. It ends when this JVM does. */
final class SchedulerProcess implements AutoCloseable {
  /** Makes Kafka Streams log what it restores. */
  static final List<String> STREAMS_LOG =
      List.of("-Dorg.slf4j.simpleLogger.log.org.apache.kafka.streams=info");

  private static final Duration START_BOUND = Duration.ofMinutes(4);
  private static final Duration STOP_BOUND = Duration.ofMinutes(4);

  /** What {@code /ready} or {@code /live} says. */
  record Health(int status, String text) {
    boolean isOk() {
      return status == 200;
    }
  }

  private final Process process;
  private final Path log;
  private final int healthPort;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  private SchedulerProcess(Process process, Path log, int healthPort) {
    this.process = process;
    this.log = log;
    this.healthPort = healthPort;
  }

  /** Starts an instance; returns when it has begun to join. */
  static SchedulerProcess start(Map<String, String> settings) {
    return start(settings, List.of());
  }

  /**
   * Starts an instance; returns when it has begun to join.
   *
   * @param jvm options of its JVM
   */
  static SchedulerProcess start(Map<String, String> settings, List<String> jvm) {
    try {
      Path state = Files.createDirectories(Path.of(settings.getOrDefault("state.dir", "")));
      Path log = state.resolveSibling(state.getFileName() + ".out");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
      command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
      command.add("-Dorg.slf4j.simpleLogger.log.io.waterclock=info");
      command.addAll(jvm);
      command.add(SchedulerMain.class.getName());
      settings.forEach((name, value) -> command.add(name + "=" + value));
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
      Process process = builder.start();
      return new SchedulerProcess(process, log, awaitHealthPort(process, log));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int awaitHealthPort(Process process, Path log) throws IOException {
    CompletableFuture<String> line = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, line), "scheduler-output");
    reader.setDaemon(true);
    reader.start();
    try {
      String first = line.get(START_BOUND.toSeconds(), TimeUnit.SECONDS);
      if (first.startsWith(SchedulerMain.HEALTH)) {
        return Integer.parseInt(first.substring(SchedulerMain.HEALTH.length()));
      }
      throw new IllegalStateException("the scheduler did not start: " + Files.readString(log));
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
      throw new IllegalStateException("the scheduler did not start: " + Files.readString(log), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void read(Process process, CompletableFuture<String> first) {
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        first.complete(line);
      }
      first.complete("");
    } catch (IOException e) {
      first.completeExceptionally(e);
    }
  }

  Health ready() {
    return ask("/ready");
  }

  Health live() {
    return ask("/live");
  }

  /** Everything that it measures. */
  String metrics() {
    return ask("/metrics").text();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until it has ended by itself; false when it has not. */
  boolean awaitEnd() {
    return awaitExit();
  }

  private Health ask(String path) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + healthPort + path))
              .timeout(Duration.ofSeconds(2))
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new Health(answer.statusCode(), answer.body());
    } catch (IOException e) {
      return new Health(0, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Health(0, e.toString());
    }
  }

  /** Fails with what it says of itself, and with the end of its log. */
  SchedulerProcess awaitReady() {
    try {
      await().atMost(Duration.ofMinutes(4)).until(() -> ready().isOk());
    } catch (ConditionTimeoutException e) {
      List<String> log = log();
      throw new AssertionError(
          ready()
              + "\n"
              + live()
              + "\n"
              + String.join("\n", log.subList(Math.max(0, log.size() - 60), log.size())),
          e);
    }
    return this;
  }

  /** What it has logged, and the instances before it with the same state directory. */
  List<String> log() {
    try {
      return Files.readAllLines(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Holds the whole process up as {@code kill -STOP} does, and as a suspended host would. */
  void stall() {
    signal("STOP");
  }

  /** Lets it go on where it was. */
  void goOn() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Ends the process as {@code kill -9} does, and returns when it has ended. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /**
   * Asks the process to end as SIGTERM does.
   *
   * @return its exit code
   */
  int terminate() {
    process.destroy();
    if (!awaitExit()) {
      process.destroyForcibly();
      throw new IllegalStateException("SIGTERM did not end the scheduler; see " + log());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    awaitExit();
  }

  private boolean awaitExit() {
    try {
      return process.waitFor(STOP_BOUND.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
