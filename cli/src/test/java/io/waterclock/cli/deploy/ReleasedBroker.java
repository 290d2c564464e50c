package io.waterclock.cli.deploy;

import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/**
 * A broker of any release of Kafka, in a process of its own, formatted and started by the classes
 * that its scripts call.
 */
final class ReleasedBroker implements AutoCloseable {
  private static final Duration BOUND = Duration.ofMinutes(4);

  /** What the build has put there with the profile {@code all}. */
  private static final Path RELEASES = Path.of("..", "verify", "brokers");

  private final Process process;
  private final String address;

  private ReleasedBroker(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /**
   * @param release such as 3.7; the one of this build runs with this JVM's class path
   */
  static ReleasedBroker start(String release, Path dir) throws Exception {
    int port = Ports.free();
    int controller = Ports.free();
    String address = "127.0.0.1:" + port;
    Path settings =
        Files.writeString(
            Files.createDirectories(dir).resolve("server.properties"),
            """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:%2$s
            listeners=PLAINTEXT://%1$s,CONTROLLER://127.0.0.1:%2$s
            advertised.listeners=PLAINTEXT://%1$s
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
            log.dirs=%3$s
            auto.create.topics.enable=false
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            transaction.state.log.num.partitions=1
            log.cleaner.dedupe.buffer.size=4194304
            group.initial.rebalance.delay.ms=0
            """
                .formatted(address, controller, dir.resolve("logs")));
    String classPath = classPath(release);
    Process format =
        java(
            classPath,
            dir.resolve("format.out"),
            "kafka.tools.StorageTool",
            "format",
            "--cluster-id",
            "MkU3OEVBNTcwNTJENDM2Qk",
            "--config",
            settings.toString());
    if (!format.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS) || format.exitValue() != 0) {
      throw new IllegalStateException(Files.readString(dir.resolve("format.out")));
    }
    Path output = dir.resolve("broker.out");
    Process process = java(classPath, output, "kafka.Kafka", settings.toString());
    ReleasedBroker broker = new ReleasedBroker(process, address);
    try {
      broker.awaitReady(output);
      return broker;
    } catch (RuntimeException e) {
      broker.close();
      throw e;
    }
  }

  private static String classPath(String release) throws IOException {
    String own = System.getProperty("java.class.path");
    if (own.contains("kafka_2.13-" + release + ".")) {
      return own;
    }
    Path lib = RELEASES.resolve(release).resolve("target/lib");
    try (Stream<Path> jars = Files.list(lib)) {
      if (jars.noneMatch(jar -> jar.getFileName().toString().startsWith("kafka_2.13-" + release))) {
        throw new IllegalStateException("no broker of " + release + " in " + lib);
      }
    }
    return lib + "/*";
  }

  private static Process java(String classPath, Path output, String... arguments)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx384m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1");
    builder.command().addAll(Arrays.asList(arguments));
    builder.environment().put("CLASSPATH", classPath);
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  private void awaitReady(Path output) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      await().atMost(BOUND).until(() -> !process.isAlive() || hasNodes(admin));
    }
    if (!process.isAlive()) {
      throw new IllegalStateException("the broker has ended: see " + output);
    }
  }

  private static boolean hasNodes(Admin admin) throws InterruptedException {
    try {
      return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
    } catch (ExecutionException | TimeoutException e) {
      return false; // it starts
    }
  }

  String address() {
    return address;
  }

  /** The topics that clients have created. */
  List<String> topics() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      return admin.listTopics().names().get().stream().sorted().toList();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
