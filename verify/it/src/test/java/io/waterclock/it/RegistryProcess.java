package io.waterclock.it;

import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** Apicurio's registry in a process of its own, which a test may kill; it keeps what it holds. */
final class RegistryProcess implements AutoCloseable {
  private static final Path JAR = Path.of(System.getProperty("waterclock.registry", "none"));

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final Path dir;
  private final int port;
  private Process process;

  private RegistryProcess(Path dir, int port) {
    this.dir = dir;
    this.port = port;
    this.process = begin();
  }

  /** Returns once it answers. */
  static RegistryProcess start(Path dir) {
    RegistryProcess registry = new RegistryProcess(dir, Ports.free());
    registry.awaitAnswer();
    return registry;
  }

  /** Where it is what Confluent's is. */
  String url() {
    return "http://127.0.0.1:" + port + "/apis/ccompat/v7";
  }

  /** As a power cut would. */
  void kill() {
    process.destroyForcibly();
    await().atMost(Duration.ofMinutes(4)).until(() -> !process.isAlive());
  }

  /** Begins again with what it held; returns once it answers. */
  void restart() {
    process = begin();
    awaitAnswer();
  }

  private Process begin() {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-Xmx192m",
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UnlockDiagnosticVMOptions",
              "-XX:-BytecodeVerificationRemote",
              "-Dquarkus.http.host=127.0.0.1",
              "-Dquarkus.http.port=" + port,
              "-Dquarkus.datasource.jdbc.url=jdbc:h2:file:" + dir.resolve("registry"),
              "-jar",
              JAR.toString())
          .directory(JAR.resolveSibling(".").toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("registry.out").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitAnswer() {
    await().atMost(Duration.ofMinutes(4)).until(this::answers);
  }

  private boolean answers() {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url() + "/subjects"))
              .timeout(Duration.ofSeconds(2))
              .build();
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    kill();
  }
}
