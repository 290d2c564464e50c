package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.rig.Child;
import java.nio.file.Path;
import java.util.List;

/** The process of a worker: {@link EffectWorkerMain}. Thread-safe. */
public final class EffectWorker implements AutoCloseable {
  private static final List<String> JVM =
      List.of(
          "-Xmx200m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  private final List<String> arguments;
  private final Path log;
  private Child process;

  private EffectWorker(List<String> arguments, Path log) {
    this.arguments = arguments;
    this.log = log;
    this.process = launch();
  }

  public static EffectWorker start(Path dir, Brokers brokers, EffectDatabase database) {
    return new EffectWorker(
        List.of(brokers.bootstrapServers(), Integer.toString(database.port())),
        dir.resolve("worker.log"));
  }

  private Child launch() {
    return Child.start(EffectWorkerMain.class, JVM, arguments, log);
  }

  /** Ends it as {@code kill -9} does. */
  public synchronized void kill() {
    process.kill();
  }

  public synchronized void restart() {
    process = launch();
  }

  @Override
  public void close() {
    kill();
  }
}
