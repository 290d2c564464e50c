package io.waterclock.bench.peer;

import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.Options;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pulsar's standalone server: a broker, a bookie and their metadata in one JVM. */
record PulsarServer(FetchedServer server, String url) implements Server {
  /**
   * Due messages are looked for every second unless set. The journal does not wait for the disk, as
   * Kafka's log does not.
   */
  private static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.of(
              "delayedDeliveryTickTimeMillis", "100",
              "journalSyncData", "false",
              "allowAutoTopicCreationType", "partitioned",
              "defaultNumPartitions", "8",
              "maxUnackedMessagesPerConsumer", "0",
              "maxUnackedMessagesPerSubscription", "0"));

  /** Not in the class of the peer, which needs jars that the benchmark itself does not have. */
  static final String CONFIGURATION =
      "delayed delivery of Pulsar, sent asynchronously, to a shared subscription";

  /** Starts it; returns when it accepts connections. */
  static PulsarServer start(Path dir) throws IOException {
    int port = Ports.free();
    Map<String, String> settings = new TreeMap<>(SETTINGS);
    settings.put("clusterName", "standalone");
    settings.put("bindAddress", FetchedServer.LOOPBACK);
    settings.put("advertisedAddress", FetchedServer.LOOPBACK);
    settings.put("listeningInterface", "lo");
    settings.put("allowLoopback", "true");
    settings.put("brokerServicePort", Integer.toString(port));
    settings.put("webServicePort", Integer.toString(Ports.free()));
    settings.put("managedLedgerDefaultEnsembleSize", "1");
    settings.put("managedLedgerDefaultWriteQuorum", "1");
    settings.put("managedLedgerDefaultAckQuorum", "1");
    Path config = FetchedServer.write(dir.resolve("standalone.properties"), settings);
    List<String> words = new ArrayList<>(Options.words(Options.HEAP));
    words.addAll(
        List.of(
            "-XX:MaxDirectMemorySize=1g",
            "org.apache.pulsar.PulsarStandaloneStarter",
            "--no-functions-worker",
            "--no-stream-storage",
            "--config",
            config.toString(),
            "--metadata-dir",
            dir.resolve("metadata").toString(),
            "--bookkeeper-dir",
            dir.resolve("bookkeeper").toString(),
            "--bookkeeper-port",
            Integer.toString(Ports.free())));
    FetchedServer process = FetchedServer.start(PeerKind.PULSAR, dir, "pulsar", words);
    PulsarServer server =
        new PulsarServer(process, "pulsar://" + FetchedServer.LOOPBACK + ":" + port);
    return Closing.onFailure(
        server::close,
        () -> {
          process.await(port);
          return server;
        });
  }

  @Override
  public String pid() {
    return server.pid();
  }

  @Override
  public String configuration() {
    return "a standalone server of Pulsar, " + SETTINGS;
  }

  @Override
  public void close() {
    server.close();
  }
}
