package io.waterclock.testkit;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of a single combined broker and controller on a small machine. */
final class BrokerSettings {
  static final int NODE_ID = 1;
  static final String CLIENT_LISTENER = "CLIENTS";
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  /** The authentication of a controller's clients; absent if none is required. */
  static final String CONTROLLER_JAAS = "listener.name.controller.plain.sasl.jaas.config";

  private BrokerSettings() {}

  /** Settings for a node that keeps its logs in {@code logDir}; {@code overrides} win. */
  static Map<String, String> of(
      Path logDir, int port, int controllerPort, Map<String, String> overrides) {
    Map<String, String> settings = new LinkedHashMap<>();
    identity(settings, logDir, port, controllerPort);
    oneNode(settings);
    smallMachine(settings);
    quickRestart(settings);
    settings.putAll(overrides);
    return settings;
  }

  private static void identity(
      Map<String, String> settings, Path logDir, int port, int controllerPort) {
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", Integer.toString(NODE_ID));
    // Static voters are read from here at each start, so the controller's port may change.
    settings.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
    settings.put("controller.listener.names", CONTROLLER_LISTENER);
    settings.put("inter.broker.listener.name", CLIENT_LISTENER);
    settings.put(
        "listener.security.protocol.map",
        CLIENT_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
    settings.put(
        "listeners",
        "%s://127.0.0.1:%s,%s://127.0.0.1:%s"
            .formatted(CLIENT_LISTENER, port, CONTROLLER_LISTENER, controllerPort));
    settings.put("advertised.listeners", CLIENT_LISTENER + "://127.0.0.1:" + port);
    settings.put("log.dirs", logDir.toString());
    settings.put("auto.create.topics.enable", "false");
  }

  /** Replication and partition counts of the internal topics; their defaults want three nodes. */
  private static void oneNode(Map<String, String> settings) {
    settings.put("default.replication.factor", "1");
    settings.put("min.insync.replicas", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("share.coordinator.state.topic.num.partitions", "1");
  }

  private static void smallMachine(Map<String, String> settings) {
    settings.put("num.network.threads", "1");
    settings.put("num.io.threads", "2");
    settings.put("background.threads", "2");
    // 128 MiB of heap by default
    settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 * 1024 * 1024));
  }

  /**
   * A clean stop is a controlled one, so that the controller forgets the old incarnation at once;
   * after a crash the next start waits out {@code broker.session.timeout.ms} (9 s by default).
   */
  private static void quickRestart(Map<String, String> settings) {
    settings.put("controlled.shutdown.enable", "true");
    settings.put("broker.heartbeat.interval.ms", "200");
    settings.put("broker.session.timeout.ms", "2000");
    settings.put("controller.quorum.election.timeout.ms", "200");
    settings.put("controller.quorum.fetch.timeout.ms", "500");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
  }
}
