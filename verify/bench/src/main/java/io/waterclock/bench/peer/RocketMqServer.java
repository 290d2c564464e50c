package io.waterclock.bench.peer;

import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.Options;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A broker of RocketMQ and its name server, each a JVM. */
record RocketMqServer(FetchedServer names, FetchedServer broker, String url) implements Server {
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

  /** Messages that the consumer takes at once. */
  static final int PULLED = 256;

  /** Not in the class of the peer, which needs jars that the benchmark itself does not have. */
  static final String CONFIGURATION =
      String.format(
          "timer messages of RocketMQ, %s, sent asynchronously, %s at a time to the consumer",
          "timerPrecisionMs 100 (default 1000)", PULLED);

  /** Starts both; returns when both accept connections. */
  static RocketMqServer start(Path dir) throws IOException {
    int namesPort = Ports.free();
    int brokerPort = Ports.free();
    Path namesConfig =
        FetchedServer.write(
            dir.resolve("names.properties"),
            Map.of(
                "bindAddress", FetchedServer.LOOPBACK,
                "listenPort", Integer.toString(namesPort),
                "kvConfigPath", dir.resolve("kv").toString()));
    Map<String, String> settings = new TreeMap<>(SETTINGS);
    settings.put("brokerName", "bench");
    settings.put("brokerIP1", FetchedServer.LOOPBACK);
    settings.put("bindAddress", FetchedServer.LOOPBACK);
    settings.put("listenPort", Integer.toString(brokerPort));
    settings.put("haListenPort", Integer.toString(Ports.free()));
    settings.put("storePathRootDir", dir.resolve("store").toString());
    settings.put("storePathCommitLog", dir.resolve("store/commitlog").toString());
    Path brokerConfig = FetchedServer.write(dir.resolve("broker.properties"), settings);
    String url = FetchedServer.LOOPBACK + ":" + namesPort;
    FetchedServer names =
        java(dir, "names", "-Xmx256m", "namesrv.NamesrvStartup", "-c", namesConfig.toString());
    FetchedServer broker =
        java(
            dir,
            "broker",
            Options.HEAP,
            "broker.BrokerStartup",
            "-c",
            brokerConfig.toString(),
            "-n",
            url);
    RocketMqServer server = new RocketMqServer(names, broker, url);
    return Closing.onFailure(
        server::close,
        () -> {
          names.await(namesPort);
          broker.await(brokerPort);
          return server;
        });
  }

  private static FetchedServer java(
      Path dir, String log, String heap, String main, String... arguments) throws IOException {
    List<String> jvm =
        List.of("-Duser.home=" + dir, "-Drocketmq.home.dir=" + dir, "org.apache.rocketmq." + main);
    return FetchedServer.start(
        PeerKind.ROCKETMQ,
        dir,
        log,
        Stream.of(Options.words(heap).stream(), jvm.stream(), Stream.of(arguments))
            .flatMap(words -> words)
            .toList());
  }

  @Override
  public String pid() {
    return broker.pid();
  }

  @Override
  public String configuration() {
    return "a broker and a name server of RocketMQ, " + SETTINGS;
  }

  @Override
  public void close() {
    broker.close();
    names.close();
  }
}
