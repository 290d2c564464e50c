package io.waterclock.bench.peer;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.JarName;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A broker of RocketMQ and its name server, each a JVM. They run on a class path of their own, as
 * they bring another RocksDB than Kafka Streams.
 */
final class RocketMqServer implements Server {
  private static final Duration LONGEST_START = Duration.ofMinutes(2);
  private static final String LOOPBACK = "127.0.0.1";

  /**
   * The wheel's precision is a second unless set. The other settings are those of a broker that
   * writes as Kafka does: to the operating system, not to the disk.
   */
  private static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.of(
              "timerPrecisionMs", "100",
              "flushDiskType", "ASYNC_FLUSH",
              "brokerRole", "ASYNC_MASTER",
              "defaultTopicQueueNums", "8",
              "sendMessageThreadPoolNums", "4",
              "useReentrantLockWhenPutMessage", "true",
              "waitTimeMillsInSendQueue", "5000"));

  private final Process names;
  private final Process broker;
  private final String address;

  private RocketMqServer(Process names, Process broker, String address) {
    this.names = names;
    this.broker = broker;
    this.address = address;
  }

  /**
   * The jars of the servers.
   *
   * @throws BadOptionException if they were not fetched
   */
  static Path lib() {
    Path lib = JarName.place(RocketMqServer.class).resolve("../../rocketmq/target/lib").normalize();
    if (!Files.isDirectory(lib)) {
      throw new BadOptionException(
          "--peers ROCKETMQ: its jars are missing; run: mvn -B -f bench/rocketmq/pom.xml package");
    }
    return lib;
  }

  /** Starts both; returns when both accept connections. */
  static RocketMqServer start(Path dir, String jvm) throws IOException {
    int namesPort = Ports.free();
    int brokerPort = Ports.free();
    Path namesConfig = dir.resolve("names.properties");
    Files.writeString(
        namesConfig,
        "bindAddress=%s\nlistenPort=%s\nkvConfigPath=%s/kv\n".formatted(LOOPBACK, namesPort, dir));
    Map<String, String> settings = new TreeMap<>(SETTINGS);
    settings.put("brokerName", "bench");
    settings.put("brokerIP1", LOOPBACK);
    settings.put("bindAddress", LOOPBACK);
    settings.put("listenPort", Integer.toString(brokerPort));
    settings.put("haListenPort", Integer.toString(Ports.free()));
    settings.put("storePathRootDir", dir.resolve("store").toString());
    settings.put("storePathCommitLog", dir.resolve("store/commitlog").toString());
    Path brokerConfig = dir.resolve("broker.properties");
    Files.writeString(
        brokerConfig,
        settings.entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue() + "\n")
            .collect(Collectors.joining()));
    Process names =
        java(dir, "-Xmx256m", "org.apache.rocketmq.namesrv.NamesrvStartup", namesConfig, "names");
    String address = LOOPBACK + ":" + namesPort;
    Process broker =
        java(
            dir,
            jvm,
            "org.apache.rocketmq.broker.BrokerStartup",
            brokerConfig,
            "broker",
            "-n",
            address);
    RocketMqServer server = new RocketMqServer(names, broker, address);
    return Closing.onFailure(
        server::close,
        () -> {
          await(names, namesPort);
          await(broker, brokerPort);
          return server;
        });
  }

  private static Process java(
      Path dir, String jvm, String main, Path config, String log, String... more)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(jvm.split(" ")));
    command.addAll(
        List.of(
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-Duser.home=" + dir,
            "-Drocketmq.home.dir=" + dir,
            "-cp",
            lib() + "/*",
            main,
            "-c",
            config.toString()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(dir.resolve(log + ".log").toFile())
        .start();
  }

  private static void await(Process process, int port) {
    Instant deadline = Await.now().plus(LONGEST_START);
    while (!accepts(port)) {
      if (!process.isAlive() || Await.now().isAfter(deadline)) {
        process.destroyForcibly();
        throw new BenchException("RocketMQ does not start: " + process.info());
      }
      Await.pass(Duration.ofMillis(100));
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public String url() {
    return address;
  }

  @Override
  public String pid() {
    return Long.toString(broker.pid());
  }

  @Override
  public String configuration() {
    return "a broker and a name server of RocketMQ, " + SETTINGS;
  }

  @Override
  public void close() {
    broker.destroyForcibly();
    names.destroyForcibly();
  }
}
