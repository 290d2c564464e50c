package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.rig.BrokerGroup;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.KafkaProcess;
import io.waterclock.testkit.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

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

  /**
   * Returns when all run.
   *
   * @param transactions the version of transactions, 1 or 2
   */
  public static Brokers start(Path dir, int brokers, int schedulers, int transactions) {
    Brokers all = new Brokers();
    for (int s = 0; s < schedulers; s++) {
      all.proxies.add(new Proxy());
      all.proxyPorts.add(new ArrayList<>());
    }
    List<BrokerGroup.Node> members = BrokerGroup.nodes(brokers);
    for (int n = 0; n < brokers; n++) {
      all.add(dir.resolve("broker-" + (n + 1)), members.get(n), (short) transactions);
    }
    all.nodes.forEach(Node::start);
    all.nodes.forEach(node -> node.process.join());
    return all;
  }

  private void add(Path dir, BrokerGroup.Node member, short transactions) {
    Map<String, String> settings = member.settings();
    for (int s = 0; s < proxies.size(); s++) {
      int behind = Ports.free();
      int proxied = proxies.get(s).open(behind);
      proxyPorts.get(s).add(proxied);
      append(settings, "listeners", "S" + s + "://127.0.0.1:" + behind);
      append(settings, "advertised.listeners", "S" + s + "://127.0.0.1:" + proxied);
      append(settings, "listener.security.protocol.map", "S" + s + ":PLAINTEXT");
    }
    settings.put("group.min.session.timeout.ms", "1000");
    EmbeddedKafka.format(dir, settings, Map.of("transaction.version", transactions));
    nodes.add(new Node(dir, member.port(), settings));
  }

  private static void append(Map<String, String> settings, String key, String element) {
    settings.merge(key, element, (list, last) -> list + "," + last);
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
