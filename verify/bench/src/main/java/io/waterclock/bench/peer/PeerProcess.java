package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.rig.ChildProtocol;
import io.waterclock.bench.run.BadOptionException;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A peer in a process of its own, with the server that it needs: {@code PeerMain KIND DIRECTORY}.
 * Answers {@code define WORK...}, {@code ran} (how many schedules of that work), {@code runs FILE},
 * and of a server {@code pid} and {@code configuration}.
 */
public final class PeerMain {
  private PeerMain() {}

  public static void main(String[] args) throws Exception {
    ChildProtocol.keepOutput();
    PeerKind kind = PeerKind.valueOf(args[0]);
    if (kind.place() == PeerKind.Place.OWN_MEMORY) {
      serve(kind, Optional.empty());
    } else {
      try (Server server = server(kind, Path.of(args[1]))) {
        serve(kind, Optional.of(server));
      }
    }
    System.exit(0);
  }

  private static Server server(PeerKind kind, Path dir) throws Exception {
    return switch (kind.place()) {
      case ROCKETMQ -> RocketMqServer.start(dir);
      case PULSAR -> PulsarServer.start(dir);
      case POSTGRES -> Postgres.start(dir, kind.durability() == PeerKind.Durability.MACHINE);
      case OWN_MEMORY -> throw new IllegalArgumentException(kind + " has no server");
    };
  }

  private static void serve(PeerKind kind, Optional<Server> server) throws Exception {
    try (Peer peer = peer(kind, server.map(Server::url).orElse(""))) {
      ChildProtocol.serve(words -> answer(peer, server, words));
    }
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

  private static Peer peer(PeerKind kind, String url) throws Exception {
    return switch (kind) {
      case DB_SCHEDULER, DB_SCHEDULER_FSYNC -> DbSchedulerPeer.start(url);
      case QUARTZ_RAM -> QuartzPeer.inMemory();
      case QUARTZ_JDBC -> QuartzPeer.on(url);
      case JOBRUNR -> JobRunrPeer.start(url);
      case ROCKETMQ -> RocketMqPeer.start(url);
      case PULSAR -> PulsarPeer.start(url);
    };
  }

  private static String answer(Peer peer, Optional<Server> server, List<String> words)
      throws Exception {
    return switch (words.get(0)) {
      case "define" -> {
        Work work = Work.parse(words.subList(1, words.size()));
        PeerRuns.begin();
        peer.define(work);
        yield "";
      }
      case "ran" -> Integer.toString(PeerRuns.distinct());
      case "runs" -> {
        PeerRuns.write(ChildProtocol.file(words.get(1)));
        yield "";
      }
      case "pid" -> server.orElseThrow().pid();
      case "configuration" -> server.orElseThrow().configuration();
      default -> throw new IllegalArgumentException("unknown command " + words);
    };
  }
}
