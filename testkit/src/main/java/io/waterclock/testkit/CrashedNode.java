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
 * A node that ended without a word, by {@code kill -9}. Its own metadata still calls it the leader
 * of every partition, which it must not believe when it starts again.
 *
 * <p>Kafka 4.3.1 would: it takes its transaction coordinator up at once, which then tries to end
 * what the crash left open. Before the node can be reached its new registration takes the
 * leadership away for a moment, and a coordinator that looks at that moment takes the partitions
 * for deleted, leaves the markers out and forgets the transaction (KAFKA-20734). It stays open in
 * the partitions' logs for ever, and read_committed readers never pass it. So the controller is
 * started alone first and told that the broker is gone; the node then leads nothing until it has
 * registered and listens.
 */
final class CrashedNode {
  private static final long BOUND_S = 30;

  private CrashedNode() {}

  /** True when a broker has run in this directory and its last stop was not a clean one. */
  static boolean isIn(Path logDir) {
    return Files.exists(logDir.resolve("bootstrap.checkpoint"))
        && Files.isDirectory(logDir.resolve("__cluster_metadata-0"))
        && !Files.exists(logDir.resolve(".kafka_cleanshutdown"));
  }

  /**
   * Takes the leadership of every partition from the broker that was. About half a second.
   *
   * @param node the settings of the whole node
   */
  static void retire(Map<String, String> node, int controllerPort)
      throws ExecutionException, InterruptedException, TimeoutException {
    String address = "127.0.0.1:" + controllerPort;
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
