package io.waterclock.bench.rig;

import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.run.Options;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.KafkaProcess;
import io.waterclock.testkit.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The brokers of a measurement, each a process: one, or three that keep each topic on all. */
public final class BrokerGroup implements AutoCloseable {
  private static final String HOST = "127.0.0.1:";

  /**
   * What a broker is started with.
   *
   * @param port 0 for any
   * @param settings changeable
   */
  public record Node(int port, Map<String, String> settings) {}

  private final List<KafkaProcess> processes;
  private final Path logs;

  private BrokerGroup(List<KafkaProcess> processes, Path logs) {
    this.processes = processes;
    this.logs = logs;
  }

  /** Returns when all run. */
  static BrokerGroup start(Path dir, Options options) {
    List<Node> nodes =
        options.brokers() == 1 ? List.of(new Node(0, new HashMap<>())) : nodes(options.brokers());
    List<CompletableFuture<KafkaProcess>> starts =
        IntStream.range(0, nodes.size())
            .mapToObj(
                n ->
                    CompletableFuture.supplyAsync(
                        () ->
                            KafkaProcess.start(
                                place(dir, n),
                                nodes.get(n).port(),
                                nodes.get(n).settings(),
                                options.brokerJvm())))
            .toList();
    return new BrokerGroup(
        starts.stream().map(CompletableFuture::join).toList(), EmbeddedKafka.logDir(place(dir, 0)));
  }

  private static Path place(Path dir, int number) {
    return dir.resolve("broker-" + (number + 1));
  }

  /**
   * Brokers that are controllers, too, the first with id 1. Each has a listener {@code DIRECT} for
   * clients and other brokers.
   *
   * @param brokers one, or three: then there are three replicas of each topic, two of them in sync
   */
  public static List<Node> nodes(int brokers) {
    List<Integer> controllers = IntStream.range(0, brokers).mapToObj(n -> Ports.free()).toList();
    String voters =
        IntStream.range(0, brokers)
            .mapToObj(n -> (n + 1) + "@" + HOST + controllers.get(n))
            .collect(Collectors.joining(","));
    return IntStream.range(0, brokers)
        .mapToObj(n -> node(n + 1, voters, HOST + controllers.get(n)))
        .toList();
  }

  private static Node node(int id, String voters, String controller) {
    int port = Ports.free();
    String direct = "DIRECT://" + HOST + port;
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("node.id", Integer.toString(id));
    settings.put("controller.quorum.voters", voters);
    settings.put("listeners", direct + ",CONTROLLER://" + controller);
    settings.put("advertised.listeners", direct);
    settings.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,DIRECT:PLAINTEXT");
    settings.put("inter.broker.listener.name", "DIRECT");
    if (voters.contains(",")) {
      settings.putAll(replicated());
    }
    return new Node(port, settings);
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

  /** For clients. */
  String bootstrapServers() {
    return processes.stream().map(KafkaProcess::bootstrapServers).collect(Collectors.joining(","));
  }

  /** The CPU time of all so far. */
  Duration cpu() {
    return processes.stream()
        .map(process -> CpuTimes.withDescendants(process.handle()))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** Where the first broker keeps its partitions. */
  Path logs() {
    return logs;
  }

  /** Kills them: the last one alone has no majority, and would wait for it. */
  @Override
  public void close() {
    processes.forEach(KafkaProcess::kill);
  }
}
