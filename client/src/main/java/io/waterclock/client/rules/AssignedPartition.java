package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A partition while it is assigned to a worker: its unfinished records and the offset up to which
 * all are finished. The lock of its {@link FireBuffer} guards it.
 */
public final class AssignedPartition {
  /** At most this many times the capacity may be read behind one fire that does not end. */
  private static final int WINDOW = 20;

  /** Of the fires that wait. */
  private static final int MOST_BYTES = 4 << 20;

  private final Backlog backlog;
  private final int capacity;
  private final Deque<UnfinishedRecord> unfinished = new ArrayDeque<>();
  private long position;
  private int waiting;
  private long waitingBytes;
  private long lastTaken = -1;
  private boolean crowded;
  private Instant startsUntil = Instant.MAX;

  AssignedPartition(Backlog backlog, long position, int capacity) {
    this.backlog = backlog;
    this.position = position;
    this.capacity = capacity;
  }

  /**
   * True when the worker should read no more: from when the partition is full, in fires or in 4 MiB
   * of them, until half of its capacity is free. Meanwhile no fire waits for a newer one, because
   * the worker reads none.
   */
  public boolean isCrowded() {
    trim();
    crowded =
        crowded
            ? waiting > capacity / 2
                || waitingBytes > MOST_BYTES / 2
                || unfinished.size() > capacity * WINDOW / 2
            : waiting >= capacity
                || waitingBytes >= MOST_BYTES
                || unfinished.size() >= capacity * WINDOW;
    return crowded;
  }

  /** The offset that may be committed: every fire before it is finished. */
  public long committable() {
    trim();
    return unfinished.isEmpty() ? position : unfinished.getFirst().offset();
  }

  private void trim() {
    while (!unfinished.isEmpty() && unfinished.getFirst().isSettled()) {
      unfinished.removeFirst();
    }
  }

  /** The unfinished part of the backlog. */
  public Backlog backlog() {
    return backlog.from(committable());
  }

  Backlog.Fate fate(long offset, Fire fire) {
    return backlog.fate(offset, fire);
  }

  /** Adds a record that is not a fire and must be handled before its offset may be committed. */
  public UnfinishedRecord mark(long offset) {
    UnfinishedRecord mark = new UnfinishedRecord(offset);
    unfinished.addLast(mark);
    position = offset + 1;
    return mark;
  }

  /** True while the worker may still read fires that replace older ones of the backlog. */
  boolean isHolding() {
    return startsUntil.equals(Instant.MAX) && position < backlog.end() && !isCrowded();
  }

  /**
   * Adds a fire.
   *
   * @param bytes what it takes while it waits
   */
  void add(UnfinishedRecord fire, int bytes) {
    unfinished.addLast(fire);
    untaken(bytes);
    position = fire.offset() + 1;
  }

  void passed(long offset) {
    position = offset;
  }

  /** The highest offset of a fire that had its turn; -1 if none has had one. */
  long lastTaken() {
    return lastTaken;
  }

  void took(long offset) {
    lastTaken = Math.max(lastTaken, offset);
  }

  void taken(int bytes) {
    waiting--;
    waitingBytes -= bytes;
  }

  /** A fire waits, for the first time or again. */
  void untaken(int bytes) {
    waiting++;
    waitingBytes += bytes;
  }

  /** False once the partition is handed back, or will be by then. */
  boolean startsAt(Instant at) {
    return at.isBefore(startsUntil);
  }

  /** The worker starts no fire of the partition from this instant on. */
  void startUntil(Instant end) {
    startsUntil = end;
  }
}
