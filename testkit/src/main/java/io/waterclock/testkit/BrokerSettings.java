package io.waterclock.testkit;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The settings of a combined broker and controller on a small machine: a single one, unless the
 * settings that win name more voters.
 */
final class BrokerSettings {
  static final int NODE_ID = 1;
  static final String CLIENT_LISTENER = "CLIENTS";
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  /** The authentication of a controller's clients; absent if none is required. */
  static final String CONTROLLER_JAAS = "listener.name.controller.plain.sasl.jaas.config";

  /**
   * Replication and partition counts of the internal topics want three nodes by default, and the
   * log cleaner 128 MiB of heap. A clean stop is a controlled one, so that the controller forgets
   * the old incarnation at once; after a crash the next start waits out {@code
   * broker.session.timeout.ms} (9 s by default).
   */
  private static final String FIXED =
      """
      process.roles=broker,controller
      node.id=1
      controller.listener.names=CONTROLLER
      inter.broker.listener.name=CLIENTS
      listener.security.protocol.map=CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT
      auto.create.topics.enable=false
      default.replication.factor=1
      min.insync.replicas=1
      offsets.topic.replication.factor=1
      offsets.topic.num.partitions=1
      transaction.state.log.replication.factor=1
      transaction.state.log.min.isr=1
      transaction.state.log.num.partitions=1
      share.coordinator.state.topic.replication.factor=1
      share.coordinator.state.topic.min.isr=1
      share.coordinator.state.topic.num.partitions=1
      num.network.threads=1
      num.io.threads=2
      background.threads=2
      log.cleaner.dedupe.buffer.size=4194304
      controlled.shutdown.enable=true
      broker.heartbeat.interval.ms=200
      broker.session.timeout.ms=2000
      controller.quorum.election.timeout.ms=200
      controller.quorum.fetch.timeout.ms=500
      group.initial.rebalance.delay.ms=0
      transaction.abort.timed.out.transaction.cleanup.interval.ms=1000
      """;

  private static final String VOTERS = "controller.quorum.voters";

  private BrokerSettings() {}

  /** The node's id, as its settings or else the defaults say. */
  static int nodeId(Map<String, String> settings) {
    return Integer.parseInt(settings.getOrDefault("node.id", Integer.toString(NODE_ID)));
  }

  /** True when the node is its cluster's only controller. */
  static boolean isAlone(Map<String, String> node) {
    return !voters(node).contains(",");
  }

  /** The address of the controller of a node that is alone. */
  static String controller(Map<String, String> node) {
    return voters(node).substring(voters(node).indexOf('@') + 1);
  }

  private static String voters(Map<String, String> node) {
    return Objects.requireNonNull(node.get(VOTERS), VOTERS);
  }

  /** Settings for a node that keeps its logs in {@code logDir}; {@code overrides} win. */
  static Map<String, String> of(
      Path logDir, int port, int controllerPort, Map<String, String> overrides) {
    Map<String, String> settings = new LinkedHashMap<>();
    String clients = CLIENT_LISTENER + "://127.0.0.1:" + port;
    String controller = "127.0.0.1:" + controllerPort;
    // Static voters are read from here at each start, so the controller's port may change.
    settings.put(VOTERS, NODE_ID + "@" + controller);
    settings.put("listeners", clients + "," + CONTROLLER_LISTENER + "://" + controller);
    settings.put("advertised.listeners", clients);
    settings.put("log.dirs", logDir.toString());
    FIXED.lines().map(line -> line.split("=", 2)).forEach(one -> settings.put(one[0], one[1]));
    settings.putAll(overrides);
    return settings;
  }
}
