package io.waterclock.bench.peer;

import io.waterclock.bench.run.Await;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

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
  public record Run(int number, long atUs) implements Serializable {}

  private PeerRuns() {}

  /** Forgets all. */
  static void begin() {
    RUNS.clear();
    DISTINCT.clear();
  }

  /**
   * The content of a message: its number, and zeros before it.
   *
   * @param bytes how many it has at least
   */
  static byte[] message(int number, int bytes) {
    String digits = Integer.toString(number);
    return ("0".repeat(Math.max(0, bytes - digits.length())) + digits)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** A message that {@link #message} has made arrives now. */
  static void arrived(byte[] message) {
    int number = 0;
    for (byte digit : message) {
      number = number * 10 + (digit - '0');
    }
    ran(number);
  }

  /** A schedule runs now. */
  static void ran(int number) {
    RUNS.add(new Run(number, ChronoUnit.MICROS.between(Instant.EPOCH, Await.now())));
    DISTINCT.add(number);
  }

  /** The number of schedules that have run at least once. */
  public static int distinct() {
    return DISTINCT.size();
  }

  /** All runs, the earliest first. */
  public static Run[] all() {
    return RUNS.stream().sorted(Comparator.comparingLong(Run::atUs)).toArray(Run[]::new);
  }
}
