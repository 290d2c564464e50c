package io.waterclock.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * The archive that the build packed, unpacked beside a Java runtime without a compiler.
 *
 * @param home the directory of the release
 * @param environment what a process needs to find the runtime
 */
record UnpackedRelease(Path home, Map<String, String> environment) {
  static final Path ARCHIVE =
      Path.of(Objects.requireNonNull(System.getProperty("waterclock.release"))).toAbsolutePath();

  /** What a runtime of Temurin 17 has. */
  private static final String RUNTIME =
      "java.se,jdk.accessibility,jdk.charsets,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.dynalink,"
          + "jdk.httpserver,jdk.jdwp.agent,jdk.jfr,jdk.localedata,jdk.management,"
          + "jdk.management.agent,jdk.management.jfr,jdk.naming.dns,jdk.naming.rmi,jdk.net,"
          + "jdk.nio.mapmode,jdk.sctp,jdk.security.auth,jdk.security.jgss,jdk.unsupported,"
          + "jdk.xml.dom,jdk.zipfs";

  /** How a command ended, and what it printed. */
  record Run(int exitCode, String output) {}

  /** The one of all tests of a build: the first that asks unpacks it, in whichever process. */
  static synchronized UnpackedRelease shared() throws IOException, InterruptedException {
    Path dir = Files.createDirectories(Path.of("target", "release").toAbsolutePath());
    Path done = dir.resolve("done-" + Files.getLastModifiedTime(ARCHIVE).toMillis());
    try (FileChannel file = FileChannel.open(dir.resolveSibling("release.lock"), CREATE, WRITE)) {
      file.lock(); // until it is closed
      if (!Files.exists(done)) {
        Utils.delete(dir.toFile());
        unpack(dir);
        Files.createFile(done);
      }
    }
    return in(dir);
  }

  private static void unpack(Path dir) throws IOException, InterruptedException {
    Path unpacked = Files.createDirectories(dir.resolve("unpacked"));
    Path jre = dir.resolve("jre");
    Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    succeed(List.of("tar", "-xzf", ARCHIVE.toString(), "-C", unpacked.toString()));
    succeed(List.of(jlink.toString(), "--add-modules", RUNTIME, "--output", jre.toString()));
    // the classes of the JDK as Temurin archives them, and those of the commands: the tests start
    // dozens of processes
    String java = jre.resolve("bin/java").toString();
    succeed(List.of(java, "-Xshare:dump"));
    // fails, for want of a broker, and has loaded the client by then
    run(
        new ProcessBuilder(
            java,
            "-XX:+UseSerialGC",
            "-XX:ArchiveClassesAtExit=" + classes(dir),
            "-jar",
            home(dir).resolve("waterclock.jar").toString(),
            "put",
            "a",
            "--every=1h",
            "--bootstrap-server=127.0.0.1:1",
            "--timeout=1s"));
  }

  private static UnpackedRelease in(Path dir) throws IOException {
    Path home = home(dir);
    return new UnpackedRelease(
        home,
        Map.of(
            "JAVA_HOME",
            dir.resolve("jre").toString(),
            "JAVA_OPTS",
            Service.JAVA_OPTS + " -XX:SharedArchiveFile=" + classes(dir),
            "PATH",
            home + ":/usr/bin:/bin"));
  }

  private static Path home(Path dir) throws IOException {
    try (Stream<Path> roots = Files.list(dir.resolve("unpacked"))) {
      return roots.toList().get(0);
    }
  }

  private static Path classes(Path dir) {
    return dir.resolve("waterclock.jsa");
  }

  private static void succeed(List<String> command) throws IOException, InterruptedException {
    Run run = run(new ProcessBuilder(command));
    if (run.exitCode() != 0) {
      throw new IllegalStateException(command + ": " + run.output());
    }
  }

  Path launcher() {
    return home.resolve("waterclock");
  }

  /** Runs a command of bash in the directory of the release. */
  Run bash(String command, Map<String, String> variables) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(home.toFile());
    builder.environment().putAll(environment);
    builder.environment().putAll(variables);
    return run(builder);
  }

  private static Run run(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), output);
  }
}
