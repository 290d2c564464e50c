package io.waterclock.bench.peer;

import io.waterclock.bench.run.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Which schedules of a work ran, and when: remembered in the peer's process, read in that of the
 * benchmark. Thread-safe, and costs a peer next to nothing.
 */
public final class PeerRuns {
  /** Static, because jobs are made by their scheduler, from nothing but their class. */
  private static final Queue<Run> RUNS = new ConcurrentLinkedQueue<>();

  private static final Set<Integer> DISTINCT = ConcurrentHashMap.newKeySet();

  /**
   * One run of a schedule.
   *
   * @param number of the schedule
   * @param atUs epoch microseconds
   */
  public record Run(int number, long atUs) {
    private static Run parse(String line) {
      int blank = line.indexOf(' ');
      return new Run(
          Integer.parseInt(line.substring(0, blank)), Long.parseLong(line.substring(blank + 1)));
    }
  }

  private PeerRuns() {}

  /** Forgets all. */
  static void begin() {
    RUNS.clear();
    DISTINCT.clear();
  }

  /** A schedule runs now. */
  static void ran(int number) {
    RUNS.add(new Run(number, ChronoUnit.MICROS.between(Instant.EPOCH, Await.now())));
    DISTINCT.add(number);
  }

  /** The number of schedules that have run at least once. */
  static int distinct() {
    return DISTINCT.size();
  }

  /** Writes all runs to a file. */
  static void write(Path file) throws IOException {
    Files.write(file, RUNS.stream().map(run -> run.number() + " " + run.atUs()).toList());
  }

  /** Reads all runs from a file, the earliest first. */
  public static List<Run> read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.map(Run::parse).sorted(Comparator.comparingLong(Run::atUs)).toList();
    }
  }
}
