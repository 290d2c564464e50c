package io.waterclock.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.util.FileLock;

/**
 * A real Kafka broker in this JVM: one KRaft node, controller included, on 127.0.0.1.
 *
 * <p>The data directory outlives the broker: a restart on the same directory, with the same or
 * another port, has the topics, groups and committed transactions, even after a {@code kill -9}.
 * Clients cannot create topics by accident ({@code auto.create.topics.enable=false}).
 *
 * <p>A first start takes 1 to 2 s, a restart after {@link #close} less than half a second, one
 * after a crash about 2 s more. The broker itself needs about 40 MiB of heap. An instance is for
 * one thread; brokers in different directories may run at the same time.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private static final String CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"; // any 16 bytes will do

  private final KafkaRaftServer server;
  private final FileLock lock;
  private final int port;
  private boolean closed;

  private EmbeddedKafka(KafkaRaftServer server, FileLock lock, int port) {
    this.server = server;
    this.lock = lock;
    this.port = port;
  }

  /**
   * Starts a broker and returns once it serves clients.
   *
   * @param dataDir created if it does not exist
   * @param port 0 for any free one
   * @throws EmbeddedKafkaException if the port or the directory is in use, or the broker fails
   */
  public static EmbeddedKafka start(Path dataDir, int port) {
    return start(dataDir, port, Map.of());
  }

  /**
   * As {@link #start(Path, int)}, with broker settings that win over the defaults. A node of a
   * larger cluster is given its {@code node.id}, {@code controller.quorum.voters} and {@code
   * listeners}, and starts only together with a majority of the others.
   */
  public static EmbeddedKafka start(Path dataDir, int port, Map<String, String> settings) {
    return start(dataDir, port, settings, List.of());
  }

  /** As {@link #start(Path, int)}, for clients that authenticate. */
  public static EmbeddedKafka start(Path dataDir, int port, KafkaSecurity security) {
    return start(dataDir, port, security.broker(), security.scram());
  }

  private static EmbeddedKafka start(
      Path dataDir, int port, Map<String, String> settings, List<String> scram) {
    QuietLogs.ofKafka();
    int brokerPort = Ports.freeOr(port);
    FileLock lock = lock(dataDir);
    try {
      format(dataDir, BrokerSettings.nodeId(settings), scram, Map.of());
      return new EmbeddedKafka(startNode(dataDir, brokerPort, settings), lock, brokerPort);
    } catch (RuntimeException e) {
      release(lock);
      throw e;
    }
  }

  private static KafkaRaftServer startNode(Path dataDir, int port, Map<String, String> settings) {
    Path logDir = logDir(dataDir);
    KafkaRaftServer server;
    try {
      int controllerPort = Ports.freeBut(port, Ports::free);
      Map<String, String> node = BrokerSettings.of(logDir, port, controllerPort, settings);
      if (CrashedNode.isIn(logDir, node)) {
        CrashedNode.retire(node);
      }
      server = new KafkaRaftServer(new KafkaConfig(node, false), Time.SYSTEM);
    } catch (Exception e) {
      throw failed(dataDir, e);
    }
    try {
      server.startup();
      return server;
    } catch (RuntimeException e) {
      server.shutdown();
      throw failed(dataDir, e);
    }
  }

  /** Holds the directory for one broker; the operating system releases it when a process dies. */
  private static FileLock lock(Path dataDir) {
    try {
      Files.createDirectories(dataDir);
      FileLock lock = new FileLock(dataDir.resolve("broker.lock").toFile());
      if (lock.tryLock()) {
        return lock;
      }
      lock.unlockAndClose();
    } catch (IOException e) {
      throw new EmbeddedKafkaException(
          "The data directory " + dataDir + " cannot be used: " + e + ".", e);
    }
    throw new EmbeddedKafkaException(
        "The data directory "
            + dataDir
            + " is in use by another broker; stop that one or choose another directory.");
  }

  /** Where a broker of this data directory keeps its partitions. */
  public static Path logDir(Path dataDir) {
    return dataDir.resolve("logs");
  }

  /**
   * Formats a directory for brokers with other levels of features than Kafka's defaults, such as
   * {@code transaction.version}. A later start uses the directory; one that is formatted stays as
   * it is. All nodes of a cluster want the same levels.
   *
   * @param dataDir created if it does not exist
   * @param settings those of the later start
   * @param levels by feature
   * @throws EmbeddedKafkaException if Kafka does not know a feature or its level
   */
  public static void format(Path dataDir, Map<String, String> settings, Map<String, Short> levels) {
    format(dataDir, BrokerSettings.nodeId(settings), List.of(), levels);
  }

  /**
   * Formats a new directory. The formatter writes {@code meta.properties} last.
   *
   * @param scram the first users
   */
  static void format(Path dataDir, int nodeId, List<String> scram, Map<String, Short> levels) {
    Path logDir = logDir(dataDir);
    if (Files.exists(logDir.resolve("meta.properties"))) {
      return;
    }
    try {
      Files.createDirectories(logDir);
      Formatter formatter = formatter(logDir, nodeId).setScramArguments(scram);
      levels.forEach(formatter::setFeatureLevel);
      formatter.run();
    } catch (Exception e) {
      throw failed(dataDir, e);
    }
  }

  private static Formatter formatter(Path logDir, int nodeId) {
    return new Formatter()
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setClusterId(CLUSTER_ID)
        .setNodeId(nodeId)
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
        .setMetadataLogDirectory(logDir.toString())
        .addDirectory(logDir.toString())
        .setIgnoreFormatted(true);
  }

  private static EmbeddedKafkaException failed(Path dataDir, Exception cause) {
    return new EmbeddedKafkaException(
        "The embedded broker on " + dataDir + " did not start: " + cause.getMessage(), cause);
  }

  /** The {@code bootstrap.servers} for clients. */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** The port for clients. */
  public int port() {
    return port;
  }

  /** Stops the broker cleanly and waits for its end; a second call does nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    server.shutdown();
    server.awaitShutdown();
    release(lock);
  }

  private static void release(FileLock lock) {
    try {
      lock.unlockAndClose();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
