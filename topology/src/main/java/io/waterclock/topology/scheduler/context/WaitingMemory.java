package io.waterclock.topology.scheduler.context;

import io.waterclock.schemas.ScheduleId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the heap that all records take together which wait in the tasks of an instance. Their
 * content is in stores; what memory holds of each does not depend on its size, so that bounds in
 * bytes of records do not bound it. Safe for use by several threads.
 */
public final class WaitingMemory {
  /** The records that may wait in one place of one partition, whatever waits in others. */
  static final int OWN_RECORDS = 1_000;

  /** The most that a record takes, beside the id of its schedule. */
  static final int RECORD = 1_024;

  private final long most;
  private final AtomicLong taken = new AtomicLong();
  private final Map<Place, Share> shares = new ConcurrentHashMap<>();

  private record Place(int partition, String name) {}

  private WaitingMemory(long most) {
    this.most = most;
  }

  /**
   * @param bytes inclusive
   */
  public static WaitingMemory of(long bytes) {
    return new WaitingMemory(bytes);
  }

  /** A quarter of the heap. */
  public static WaitingMemory ofHeap() {
    return of(Runtime.getRuntime().maxMemory() / 4);
  }

  /**
   * Begins to count what waits in one place of one partition, from nothing: what was counted there
   * by a task that failed before it could leave is given back.
   */
  public Share join(int partition, String name) {
    Place place = new Place(partition, name);
    Share share = new Share(place);
    Share failed = shares.put(place, share);
    if (failed != null) {
      failed.leave();
    }
    return share;
  }

  /** What waits in one place of one partition. For the thread of its task. */
  public final class Share {
    private final Place place;
    private int records;
    private long bytes;

    private Share(Place place) {
      this.place = place;
    }

    /** True when no further record may wait. */
    public boolean isFull() {
      return records >= OWN_RECORDS && taken.get() + RECORD > most;
    }

    /** Counts a record. */
    public void take(ScheduleId id) {
      add(1, RECORD + id.value().length());
    }

    /** Counts a record no longer. */
    public void free(ScheduleId id) {
      add(-1, -RECORD - id.value().length());
    }

    /** Gives everything back. */
    public void leave() {
      add(-records, -bytes);
      shares.remove(place, this);
    }

    private void add(int newRecords, long newBytes) {
      records += newRecords;
      bytes += newBytes;
      taken.addAndGet(newBytes);
    }
  }
}
