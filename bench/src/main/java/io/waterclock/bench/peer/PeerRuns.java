package io.waterclock.bench.peer;

import io.waterclock.bench.run.Await;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which schedules of a work ran, and when: remembered in the peer's process, read in that of the
 * benchmark. Thread-safe, and costs a peer next to nothing.
 */
public final class PeerRuns {
  /** Jobs are made by their scheduler, from nothing but their class. */
  private static volatile PeerRuns current = new PeerRuns(0);

  /**
   * One run of a schedule.
   *
   * @param number of the schedule
   * @param atUs epoch microseconds
   */
  public record Run(int number, long atUs) {}

  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger distinct = new AtomicInteger();
  private final AtomicIntegerArray times;
  private final AtomicIntegerArray numbers;
  private final AtomicLongArray atUs;

  private PeerRuns(int schedules) {
    this.times = new AtomicIntegerArray(schedules);
    this.numbers = new AtomicIntegerArray(2 * schedules);
    this.atUs = new AtomicLongArray(2 * schedules);
  }

  /** Forgets all, and has room for a work of so many schedules, each of which may run twice. */
  static void begin(int schedules) {
    current = new PeerRuns(schedules);
  }

  /** A schedule runs now. */
  static void ran(int number) {
    long nowUs = ChronoUnit.MICROS.between(Instant.EPOCH, Await.now());
    PeerRuns runs = current;
    int index = runs.count.getAndIncrement();
    if (index < runs.numbers.length()) {
      runs.numbers.set(index, number);
      runs.atUs.set(index, nowUs);
    }
    if (runs.times.getAndIncrement(number) == 0) {
      runs.distinct.incrementAndGet();
    }
  }

  /** The number of schedules that have run at least once. */
  static int distinct() {
    return current.distinct.get();
  }

  /** Writes all runs to a file. */
  static void write(Path file) throws IOException {
    PeerRuns runs = current;
    int known = Math.min(runs.count.get(), runs.numbers.length());
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(known);
      for (int i = 0; i < known; i++) {
        out.writeInt(runs.numbers.get(i));
        out.writeLong(runs.atUs.get(i));
      }
    }
  }

  /** Reads all runs from a file, the earliest first. */
  public static List<Run> read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      int known = in.readInt();
      List<Run> runs = new ArrayList<>(known);
      for (int i = 0; i < known; i++) {
        runs.add(new Run(in.readInt(), in.readLong()));
      }
      runs.sort(Comparator.comparingLong(Run::atUs));
      return runs;
    }
  }
}
