package io.waterclock.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.utils.Time;

/**
 * A node that crashed, such as by {@code kill -9}. Its metadata still names it the leader of every
 * partition, which it must not trust when it restarts.
 *
 * <p>Kafka 4.4.0 trusts it: it starts its transaction coordinator at once, which tries to end open
 * transactions. Before the node is reachable, its new registration removes the leadership for a
 * moment. A coordinator that looks at that moment considers the partitions deleted, writes no
 * markers and forgets the transaction (KAFKA-20734). The transaction stays open in the partitions'
 * logs for ever, and no read_committed reader passes it. So this class first starts the controller
 * alone, and removes the broker's leadership; the node then leads nothing until it has registered
 * and listens.
 */
final class CrashedNode {
  private static final long BOUND_S = 30;

  private CrashedNode() {}

  /**
   * True when a broker has run in this directory alone and its last stop was not a clean one. The
   * other nodes of a cluster elect new leaders, so what such a node remembers does no harm.
   */
  static boolean isIn(Path logDir, Map<String, String> node) {
    return BrokerSettings.isAlone(node)
        // formatting makes the folder, and the first vote this file
        && Files.exists(logDir.resolve("__cluster_metadata-0").resolve("quorum-state"))
        && !Files.exists(logDir.resolve(".kafka_cleanshutdown"));
  }

  /**
   * Removes the leadership of every partition from the crashed broker. Takes about half a second.
   *
   * @param node the settings of the whole node
   */
  static void retire(Map<String, String> node)
      throws ExecutionException, InterruptedException, TimeoutException {
    String address = BrokerSettings.controller(node);
    Map<String, String> settings = new HashMap<>(node);
    settings.put("process.roles", "controller");
    settings.put("listeners", BrokerSettings.CONTROLLER_LISTENER + "://" + address);
    settings.remove("advertised.listeners");
    settings.remove("inter.broker.listener.name");
    KafkaRaftServer controller = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    try {
      controller.startup();
      try (Admin admin = Admin.create(client(node, address))) {
        unregister(admin);
      }
    } finally {
      controller.shutdown();
      controller.awaitShutdown();
    }
  }

  private static Map<String, Object> client(Map<String, String> node, String address) {
    Map<String, Object> client = new HashMap<>();
    client.put(AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG, address);
    Optional.ofNullable(node.get(BrokerSettings.CONTROLLER_JAAS))
        .ifPresent(
            jaas -> {
              client.put(AdminClientConfig.SECURITY_PROTOCOL_CONFIG, "SASL_PLAINTEXT");
              client.put(SaslConfigs.SASL_MECHANISM, "PLAIN");
              client.put(SaslConfigs.SASL_JAAS_CONFIG, jaas);
            });
    return client;
  }

  private static void unregister(Admin admin)
      throws ExecutionException, InterruptedException, TimeoutException {
    try {
      admin.unregisterBroker(BrokerSettings.NODE_ID).all().get(BOUND_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof BrokerIdNotRegisteredException)) {
        throw e;
      }
      // killed before it had registered for the first time: there is nothing that it could lead
    }
  }
}
