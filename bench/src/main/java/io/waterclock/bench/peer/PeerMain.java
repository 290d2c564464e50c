package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.rig.ChildProtocol;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A peer in a process of its own, with the database that it needs: {@code PeerMain KIND DIRECTORY}.
 * Answers {@code define WORK...}, {@code ran} (how many schedules of that work), {@code runs FILE},
 * and of a database {@code pid} and {@code configuration}.
 */
public final class PeerMain {
  private PeerMain() {}

  public static void main(String[] args) throws Exception {
    PeerKind kind = PeerKind.valueOf(args[0]);
    if (kind.hasDatabase()) {
      boolean syncs = kind.durability() == PeerKind.Durability.MACHINE;
      try (Postgres database = Postgres.start(Path.of(args[1]), syncs)) {
        serve(kind, Optional.of(database));
      }
    } else {
      serve(kind, Optional.empty());
    }
    System.exit(0);
  }

  private static void serve(PeerKind kind, Optional<Postgres> database) throws Exception {
    try (Peer peer = peer(kind, database.map(Postgres::url).orElse(""))) {
      ChildProtocol.serve(words -> answer(peer, database, words));
    }
  }

  /** The settings of a peer, in words. */
  public static String configuration(PeerKind kind) {
    return switch (kind) {
      case DB_SCHEDULER, DB_SCHEDULER_FSYNC -> DbSchedulerPeer.CONFIGURATION;
      case QUARTZ_RAM -> QuartzPeer.IN_MEMORY;
      case QUARTZ_JDBC -> QuartzPeer.ON_DATABASE;
      case JOBRUNR -> JobRunrPeer.CONFIGURATION;
    };
  }

  private static Peer peer(PeerKind kind, String url) throws Exception {
    return switch (kind) {
      case DB_SCHEDULER, DB_SCHEDULER_FSYNC -> DbSchedulerPeer.start(url);
      case QUARTZ_RAM -> QuartzPeer.inMemory();
      case QUARTZ_JDBC -> QuartzPeer.on(url);
      case JOBRUNR -> JobRunrPeer.start(url);
    };
  }

  private static String answer(Peer peer, Optional<Postgres> database, List<String> words)
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
      case "pid" -> database.orElseThrow().pid();
      case "configuration" -> database.orElseThrow().configuration();
      default -> throw new IllegalArgumentException("unknown command " + words);
    };
  }
}
