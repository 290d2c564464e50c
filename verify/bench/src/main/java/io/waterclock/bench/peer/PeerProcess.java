package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.run.BadOptionException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What runs in the process of a peer: the peer, and the server that it needs.
 *
 * @param server empty when the peer needs none
 */
public record PeerProcess(Peer peer, Optional<Server> server) implements AutoCloseable {
  /**
   * Starts it.
   *
   * @param dir of its own
   * @param bytes that a message has at least, of peers that have messages
   */
  public static PeerProcess start(PeerKind kind, File dir, int bytes) throws Exception {
    Optional<Server> server =
        kind.place() == PeerKind.Place.OWN_MEMORY
            ? Optional.empty()
            : Optional.of(server(kind, dir.toPath()));
    try {
      return new PeerProcess(peer(kind, server.map(Server::url).orElse(""), bytes), server);
    } catch (Exception e) {
      if (server.isPresent()) {
        server.get().close();
      }
      throw e;
    }
  }

  private static Server server(PeerKind kind, Path dir) throws Exception {
    return switch (kind.place()) {
      case ROCKETMQ -> RocketMqServer.start(dir);
      case PULSAR -> PulsarServer.start(dir);
      case POSTGRES -> Postgres.start(dir, kind.durability() == PeerKind.Durability.MACHINE);
      case OWN_MEMORY -> throw new IllegalArgumentException(kind + " has no server");
    };
  }

  /**
   * Options of a JVM for jars of the peer that the benchmark does not have on its class path.
   *
   * @throws BadOptionException if they were not fetched
   */
  public static List<String> classPath(PeerKind kind) {
    return kind.place().isFetched()
        ? List.of(
            "-cp",
            System.getProperty("java.class.path")
                + File.pathSeparator
                + FetchedServer.lib(kind).resolve("*"))
        : List.of();
  }

  /** The settings of a peer, in words. */
  public static String configuration(PeerKind kind) {
    return switch (kind) {
      case DB_SCHEDULER, DB_SCHEDULER_FSYNC -> DbSchedulerPeer.CONFIGURATION;
      case QUARTZ_RAM -> QuartzPeer.IN_MEMORY;
      case QUARTZ_JDBC -> QuartzPeer.ON_DATABASE;
      case JOBRUNR -> JobRunrPeer.CONFIGURATION;
      case ROCKETMQ -> RocketMqServer.CONFIGURATION;
      case PULSAR -> PulsarServer.CONFIGURATION;
    };
  }

  private static Peer peer(PeerKind kind, String url, int bytes) throws Exception {
    return switch (kind) {
      case DB_SCHEDULER, DB_SCHEDULER_FSYNC -> DbSchedulerPeer.start(url);
      case QUARTZ_RAM -> QuartzPeer.inMemory();
      case QUARTZ_JDBC -> QuartzPeer.on(url);
      case JOBRUNR -> JobRunrPeer.start(url);
      case ROCKETMQ -> RocketMqPeer.start(url, bytes);
      case PULSAR -> PulsarPeer.start(url, bytes);
    };
  }

  /** Defines the schedules of a work; returns when they are safely kept. */
  public void define(Work work) throws Exception {
    PeerRuns.begin();
    peer.define(work);
  }

  public String pid() throws Exception {
    return server.orElseThrow().pid();
  }

  /** Of the server. */
  public String configuration() throws Exception {
    return server.orElseThrow().configuration();
  }

  @Override
  public void close() throws IOException {
    peer.close();
    if (server.isPresent()) {
      server.get().close();
    }
  }
}
