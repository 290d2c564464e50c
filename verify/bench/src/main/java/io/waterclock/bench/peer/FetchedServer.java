package io.waterclock.bench.peer;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.JarName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A JVM with a server of a peer. It runs on a class path of its own, which a build of its own
 * fetches: such servers bring other versions of libraries of Kafka.
 */
record FetchedServer(Process process) {
  private static final Duration LONGEST_START = Duration.ofMinutes(2);

  static final String LOOPBACK = "127.0.0.1";

  /**
   * The jars of a peer's servers.
   *
   * @throws BadOptionException if they were not fetched
   */
  static Path lib(PeerKind kind) {
    String name = kind.place().folder();
    Path lib =
        JarName.place(FetchedServer.class).resolve("../../" + name + "/target/lib").normalize();
    if (!Files.isDirectory(lib)) {
      throw new BadOptionException(
          String.format(
              "--peers %s: its jars are missing; run: mvn -B -f verify/bench/%s/pom.xml package",
              kind, name));
    }
    return lib;
  }

  /**
   * Starts a server.
   *
   * @param words options of its JVM, its main class, and its arguments
   */
  static FetchedServer start(PeerKind kind, Path dir, String log, Collection<String> words)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-cp",
                lib(kind) + "/*"));
    command.addAll(words);
    return new FetchedServer(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve(log + ".log").toFile())
            .start());
  }

  /** Writes settings as a file of properties. */
  static Path write(Path file, Map<String, String> settings) throws IOException {
    return Files.writeString(
        file,
        settings.entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue() + "\n")
            .collect(Collectors.joining()));
  }

  /** Returns when it accepts connections. */
  void await(int port) {
    Await.until(
        "the start of the server of a peer",
        LONGEST_START,
        Duration.ofMillis(100),
        () -> !process.isAlive() || accepts(port));
    if (!process.isAlive()) {
      throw new BenchException("the server of a peer does not start: " + process.info());
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  String pid() {
    return Long.toString(process.pid());
  }

  void close() {
    process.destroyForcibly();
  }
}
