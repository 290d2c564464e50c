package io.waterclock.bench.chaos.cluster;

import io.waterclock.testkit.KafkaProcess;
import io.waterclock.testkit.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One broker or three, each a process that is a controller, too. Every scheduler has a listener of
 * its own, advertised at its proxy. For the thread of the faults.
 */
public final class Brokers implements AutoCloseable {
  private static final List<String> JVM =
      List.of(
          "-Xmx400m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  /** A broker's place and settings, which stay, and its process, if it runs. */
  private static final class Node {
    private final Path dir;
    private final int port;
    private final Map<String, String> settings;
    private volatile CompletableFuture<KafkaProcess> process =
        CompletableFuture.failedFuture(new IllegalStateException("not started"));

    private Node(Path dir, int port, Map<String, String> settings) {
      this.dir = dir;
      this.port = port;
      this.settings = settings;
    }

    private void start() {
      process = CompletableFuture.supplyAsync(() -> KafkaProcess.start(dir, port, settings, JVM));
    }
  }

  private final List<Node> nodes = new ArrayList<>();
  private final List<Proxy> proxies = new ArrayList<>();
  private final List<List<Integer>> proxyPorts = new ArrayList<>();

  private Brokers() {}

  /** Returns when all run. */
  public static Brokers start(Path dir, int brokers, int schedulers) {
    Brokers all = new Brokers();
    for (int s = 0; s < schedulers; s++) {
      all.proxies.add(new Proxy());
      all.proxyPorts.add(new ArrayList<>());
    }
    List<Integer> controllers = IntStream.range(0, brokers).mapToObj(n -> Ports.free()).toList();
    String voters =
        IntStream.range(0, brokers)
            .mapToObj(n -> (n + 1) + "@127.0.0.1:" + controllers.get(n))
            .collect(Collectors.joining(","));
    for (int n = 1; n <= brokers; n++) {
      all.add(dir.resolve("broker-" + n), n, voters, controllers.get(n - 1));
    }
    all.nodes.forEach(Node::start);
    all.nodes.forEach(node -> node.process.join());
    return all;
  }

  private void add(Path dir, int id, String voters, int controller) {
    int port = Ports.free();
    List<String> listeners = new ArrayList<>();
    List<String> advertised = new ArrayList<>();
    List<String> protocols = new ArrayList<>(List.of("CONTROLLER:PLAINTEXT", "DIRECT:PLAINTEXT"));
    listeners.add("CONTROLLER://127.0.0.1:" + controller);
    listeners.add("DIRECT://127.0.0.1:" + port);
    advertised.add("DIRECT://127.0.0.1:" + port);
    for (int s = 0; s < proxies.size(); s++) {
      int behind = Ports.free();
      int proxied = proxies.get(s).open(behind);
      proxyPorts.get(s).add(proxied);
      listeners.add("S" + s + "://127.0.0.1:" + behind);
      advertised.add("S" + s + "://127.0.0.1:" + proxied);
      protocols.add("S" + s + ":PLAINTEXT");
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("node.id", Integer.toString(id));
    settings.put("controller.quorum.voters", voters);
    settings.put("listeners", String.join(",", listeners));
    settings.put("advertised.listeners", String.join(",", advertised));
    settings.put("listener.security.protocol.map", String.join(",", protocols));
    settings.put("inter.broker.listener.name", "DIRECT");
    settings.put("group.min.session.timeout.ms", "1000");
    if (voters.contains(",")) {
      settings.putAll(replicated());
    }
    nodes.add(new Node(dir, port, settings));
  }

  private static Map<String, String> replicated() {
    Map<String, String> settings = new HashMap<>();
    for (String topic : List.of("offsets.topic", "transaction.state.log")) {
      settings.put(topic + ".replication.factor", "3");
      settings.put(topic + ".num.partitions", "3");
    }
    settings.put("transaction.state.log.min.isr", "2");
    settings.put("default.replication.factor", "3");
    settings.put("min.insync.replicas", "2");
    // elections that a loaded machine does not lose
    settings.put("controller.quorum.election.timeout.ms", "1000");
    settings.put("controller.quorum.fetch.timeout.ms", "2000");
    settings.put("broker.session.timeout.ms", "4000");
    settings.put("broker.heartbeat.interval.ms", "500");
    settings.put("replica.lag.time.max.ms", "5000");
    return settings;
  }

  public int size() {
    return nodes.size();
  }

  /** For clients that nothing stands in the way of. */
  public String bootstrapServers() {
    return nodes.stream().map(node -> "127.0.0.1:" + node.port).collect(Collectors.joining(","));
  }

  /**
   * For a scheduler.
   *
   * @param scheduler from 1
   */
  String bootstrapServers(int scheduler) {
    return proxyPorts.get(scheduler - 1).stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(","));
  }

  /**
   * @param scheduler from 1
   */
  public Proxy proxy(int scheduler) {
    return proxies.get(scheduler - 1);
  }

  /**
   * Ends a broker as {@code kill -9} does.
   *
   * @param id from 1
   */
  public void kill(int id) {
    process(id).kill();
  }

  /** Ends a broker in order. */
  public void terminate(int id) {
    process(id).close();
  }

  public void stall(int id) {
    Signals.stall(process(id).handle());
  }

  public void goOn(int id) {
    Signals.goOn(process(id).handle());
  }

  /**
   * Starts brokers again, and returns when they run: one of two killed ones waits for the other.
   */
  public void restart(List<Integer> ids) {
    ids.forEach(id -> nodes.get(id - 1).start());
    ids.forEach(id -> nodes.get(id - 1).process.join());
  }

  private KafkaProcess process(int id) {
    return nodes.get(id - 1).process.join();
  }

  @Override
  public void close() {
    proxies.forEach(Proxy::close);
    // at once: the last one alone has no majority, and would wait for it
    for (Node node : nodes) {
      if (!node.process.isCompletedExceptionally()) {
        node.process.join().kill();
      }
    }
  }
}
