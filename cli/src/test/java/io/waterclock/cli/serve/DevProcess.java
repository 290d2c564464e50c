package io.waterclock.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.Main;
import io.waterclock.testkit.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** {@code waterclock dev} in a process of its own, as in a terminal. */
final class DevProcess implements AutoCloseable {
  private final Process process;
  private final int port;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private DevProcess(Process process, int port) {
    this.process = process;
    this.port = port;
    Thread reader = new Thread(this::read, "dev-output");
    reader.setDaemon(true);
    reader.start();
  }

  static DevProcess start(Path data, String... more) throws IOException {
    int port = Ports.free();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "dev",
                "--port",
                Integer.toString(port),
                "--data",
                data.toString(),
                "--set",
                "health.port=0"));
    command.addAll(List.of(more));
    return new DevProcess(new ProcessBuilder(command).redirectErrorStream(true).start(), port);
  }

  String bootstrapServer() {
    return "127.0.0.1:" + port;
  }

  /** The lines printed so far. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Sends SIGTERM; what the process prints as it ends is still read. */
  int terminate() throws InterruptedException {
    process.toHandle().destroy();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
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
