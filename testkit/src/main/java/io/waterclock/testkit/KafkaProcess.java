package io.waterclock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An {@link EmbeddedKafka} in a separate process, on this JVM's class path: for tests that kill it,
 * and for measurements that must not share a heap with it. It ends with this JVM. Its log is {@code
 * broker.out} in its data directory.
 *
 * <p>Thread-safe.
 */
public final class KafkaProcess implements AutoCloseable {
  private static final Duration START_BOUND = Duration.ofMinutes(3);
  private static final Duration STOP_BOUND = Duration.ofSeconds(20);

  private static final List<String> SMALL_HEAP =
      List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** A broker loads some ten thousand classes; to verify them takes a sixth of its start. */
  private static final List<String> UNVERIFIED =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote");

  private final Process process;
  private final String bootstrapServers;

  private KafkaProcess(Process process, String bootstrapServers) {
    this.process = process;
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Starts a broker with a small heap, as {@link EmbeddedKafka#start(Path, int)} does, and returns
   * once it serves clients.
   *
   * @throws EmbeddedKafkaException with the broker's error if it does not start
   */
  public static KafkaProcess start(Path dataDir, int port) {
    return start(dataDir, port, Map.of(), SMALL_HEAP);
  }

  /** As {@link #start(Path, int)}, for clients that authenticate. */
  public static KafkaProcess start(Path dataDir, int port, KafkaSecurity security) {
    EmbeddedKafka.format(dataDir, BrokerSettings.NODE_ID, security.scram(), Map.of());
    return start(dataDir, port, security.broker(), SMALL_HEAP);
  }

  /** As {@link #start(Path, int)}, with broker settings and JVM options. */
  public static KafkaProcess start(
      Path dataDir, int port, Map<String, String> settings, List<String> jvmOptions) {
    try {
      Path log = Files.createDirectories(dataDir).resolve("broker.out");
      Process process = launch(dataDir, port, settings, jvmOptions, log);
      try {
        return new KafkaProcess(process, awaitReady(process, log));
      } catch (EmbeddedKafkaException e) {
        process.destroyForcibly();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process launch(
      Path dataDir, int port, Map<String, String> settings, List<String> jvmOptions, Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(UNVERIFIED);
    command.addAll(jvmOptions);
    command.add(EmbeddedKafkaMain.class.getName());
    command.add(dataDir.toString());
    command.add(Integer.toString(port));
    settings.forEach((name, value) -> command.add(name + "=" + value));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    // by the environment: a class path as long as Kafka's hides the rest of the command line
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.start();
  }

  private static String awaitReady(Process process, Path log) throws IOException {
    try {
      Optional<String> address =
          CompletableFuture.supplyAsync(() -> readAddress(process))
              .get(START_BOUND.toSeconds(), TimeUnit.SECONDS);
      if (address.isPresent()) {
        return address.get();
      }
      throw new EmbeddedKafkaException(Files.readString(log).strip());
    } catch (TimeoutException | ExecutionException e) {
      throw new EmbeddedKafkaException(
          "The broker process was not ready after " + START_BOUND.toSeconds() + " s; see " + log,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedKafkaException("Interrupted while the broker process started", e);
    }
  }

  /** The address in the broker's only line; empty when the process ended without one. */
  private static Optional<String> readAddress(Process process) {
    return process
        .inputReader(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(EmbeddedKafkaMain.READY))
        .map(line -> line.substring(EmbeddedKafkaMain.READY.length()))
        .findFirst();
  }

  /** The {@code bootstrap.servers} for clients. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** The port for clients. */
  public int port() {
    return Integer.parseInt(bootstrapServers.substring(bootstrapServers.lastIndexOf(':') + 1));
  }

  /** The id of the broker's process, for measurements. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Ends the process as {@code kill -9} does, and returns when it has ended. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Stops the broker cleanly and returns when its process has ended. */
  @Override
  public void close() {
    process.destroy();
    if (!awaitExit()) {
      process.destroyForcibly();
    }
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
