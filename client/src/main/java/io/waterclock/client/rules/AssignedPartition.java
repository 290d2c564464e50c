package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * A partition from when a worker is given it until it is taken away: what of it is not finished,
 * and up to where it is. Guarded by whoever guards its {@link FireBuffer}.
 *
 * @param <A> what a fire is carried with
 */
public final class AssignedPartition<A> {
  /** So many times the buffer may stand behind one fire that does not end. */
  private static final int WINDOW = 20;

  private final Backlog backlog;
  private final int capacity;
  private final Deque<UnfinishedRecord> unfinished = new ArrayDeque<>();
  private final Set<ScheduleLane<A>> holding = new HashSet<>();
  private long position;
  private int waiting;
  private long lastTaken = -1;
  private boolean crowded;
  private Instant startsUntil = Instant.MAX;

  AssignedPartition(Backlog backlog, long position, int capacity) {
    this.backlog = backlog;
    this.position = position;
    this.capacity = capacity;
  }

  /**
   * True when no more should be read: from when it is full until there is room for a good deal
   * more. Nothing is held back for newer fires meanwhile, since none come.
   */
  public boolean isCrowded() {
    trim();
    crowded =
        crowded
            ? waiting > capacity / 2 || unfinished.size() > capacity * WINDOW / 2
            : waiting >= capacity || unfinished.size() >= capacity * WINDOW;
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

  /** What of the backlog is not finished. */
  public Backlog backlog() {
    return backlog.from(committable());
  }

  Backlog.Fate fate(long offset, Fire fire) {
    return backlog.fate(offset, fire);
  }

  /** A record that is no fire was read, and something has to be done about it. */
  public UnfinishedRecord mark(long offset) {
    UnfinishedRecord mark = new UnfinishedRecord(offset);
    unfinished.addLast(mark);
    position = offset + 1;
    return mark;
  }

  /** True while fires may come that replace older ones of the backlog. */
  boolean isHolding() {
    return startsUntil.equals(Instant.MAX) && position < backlog.end() && !isCrowded();
  }

  Set<ScheduleLane<A>> holding() {
    return holding;
  }

  void add(BufferedFire<A> work) {
    unfinished.addLast(work);
    waiting++;
    position = work.offset() + 1;
  }

  void passed(long offset) {
    position = offset;
  }

  /** The highest offset of a fire that had its turn; -1 if none had. */
  long lastTaken() {
    return lastTaken;
  }

  void took(long offset) {
    lastTaken = Math.max(lastTaken, offset);
  }

  void taken() {
    waiting--;
  }

  /** A fire that had its turn waits again. */
  void untaken() {
    waiting++;
  }

  /** False once the partition is given back, or will be by then. */
  boolean startsAt(Instant at) {
    return at.isBefore(startsUntil);
  }

  /** Nothing is started any more from then on. */
  void startUntil(Instant end) {
    startsUntil = end;
  }
}
