package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.rig.ChildProtocol;
import java.util.List;

/**
 * A peer in a process of its own: {@code PeerMain KIND JDBC_URL}. Answers {@code define WORK...},
 * {@code ran} (how many schedules of that work) and {@code runs FILE}.
 */
public final class PeerMain {
  private PeerMain() {}

  public static void main(String[] args) throws Exception {
    try (Peer peer = peer(PeerKind.valueOf(args[0]), args[1])) {
      ChildProtocol.serve(words -> answer(peer, words));
    }
    System.exit(0);
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

  private static String answer(Peer peer, List<String> words) throws Exception {
    return switch (words.get(0)) {
      case "define" -> {
        Work work = Work.parse(words.subList(1, words.size()));
        PeerRuns.begin(work.count());
        peer.define(work);
        yield "";
      }
      case "ran" -> Integer.toString(PeerRuns.distinct());
      case "runs" -> {
        PeerRuns.write(ChildProtocol.file(words.get(1)));
        yield "";
      }
      default -> throw new IllegalArgumentException("unknown command " + words);
    };
  }
}
