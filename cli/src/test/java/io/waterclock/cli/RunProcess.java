package io.waterclock.cli;

import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.Ports;
import java.io.File;
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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** {@code waterclock run} as an administrator starts it, with the logging of a release. */
public final class RunProcess implements AutoCloseable {
  private static final Duration BOUND = Duration.ofMinutes(4);

  private final Process process;
  private final Path output;
  private final URI ready;

  private RunProcess(Process process, Path output, URI ready) {
    this.process = process;
    this.output = output;
    this.ready = ready;
  }

  /**
   * @param dir for its output
   * @param options of the command
   */
  public static RunProcess start(Path dir, String... options) throws IOException {
    int port = Ports.free();
    Path output = Files.createTempFile(dir, "run", ".out");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-XX:+ExitOnOutOfMemoryError"); // as the launcher does
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(List.of("-cp", classPath(), Main.class.getName(), "run"));
    command.addAll(List.of(options));
    command.addAll(List.of("--set", "health.port=" + port));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new RunProcess(process, output, URI.create("http://127.0.0.1:" + port + "/ready"));
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * @throws IllegalStateException with its output if it has ended
   */
  public RunProcess awaitReady() {
    await().atMost(BOUND).until(() -> !process.isAlive() || isReady());
    if (!process.isAlive()) {
      throw new IllegalStateException("it has ended: " + lines());
    }
    return this;
  }

  private boolean isReady() throws InterruptedException {
    try {
      return HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false; // it does not listen yet
    }
  }

  /** The lines printed so far. */
  public List<String> lines() {
    try {
      return Files.readAllLines(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for its end, and returns its exit code. */
  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("it still runs: " + lines());
    }
    return process.exitValue();
  }

  /** Sends SIGTERM, waits for its end, and returns its exit code. */
  public int terminate() throws InterruptedException {
    process.toHandle().destroy();
    return awaitExit();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
