package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.topology.scheduler.store.DueIndex;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.QueueHorizon;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the index on disk in step with the queue in memory: the only writer of the index.
 *
 * <p>Idea: an entry is written with the definition, in the same batch, and stays while the schedule
 * is in the queue. It remains a lower bound however often the schedule fires, because the position
 * only advances. It moves when the schedule leaves the queue until its next occurrence comes near.
 * So a fire writes nothing here.
 */
public final class QueueIndex {
  private final DueQueue queue;
  private final MovingSchedules moving;
  private final QueueHorizon horizon;

  public QueueIndex(TaskQueues queues) {
    this.queue = queues.due();
    this.moving = queues.moving();
    this.horizon = queues.horizon();
  }

  /**
   * True when a schedule in step may wait in the index alone: its next occurrence is far, and no
   * calendar can move it.
   */
  public boolean mayLeaveQueue(ScheduleState state, Pending pending) {
    return state.isPlain()
        && !horizon.includes(pending.due().toEpochMilli())
        && !moving.contains(state.id());
  }

  /**
   * Lets a schedule wait in the index alone.
   *
   * @return false when it already did, or had the right entry in the queue
   */
  boolean leaveQueue(byte[] id, long dueMs) {
    Optional<DueQueue.Entry> queued = queue.find(id);
    if (queued.isEmpty() && horizon.index().contains(new DueIndex.Entry(dueMs, id))) {
      return false;
    }
    boolean wasRight =
        queued.filter(it -> it.isLive() && it.dueMs() == dueMs && !it.hasOwnProgress()).isPresent();
    waitFor(id, dueMs);
    return !wasRight;
  }

  /** As {@link #leaveQueue}, for a new definition, which has no entry yet: reads nothing. */
  void waitFor(byte[] id, long dueMs) {
    queue.remove(id);
    horizon.put(new DueIndex.Entry(dueMs, id));
  }

  /** True when an occurrence is so far that its schedule may wait for it in the index alone. */
  boolean isFar(long dueMs) {
    return dueMs >= horizon.loadedMs();
  }

  /** True when a schedule has an entry for an occurrence. Reads the disk. */
  boolean contains(byte[] id, long dueMs) {
    return horizon.index().contains(new DueIndex.Entry(dueMs, id));
  }

  /**
   * Writes the entry of a definition that is new, or has changed, after its schedule was placed.
   */
  void defined(ScheduleState state, Optional<Pending> pending) {
    if (pending.isEmpty() || queue.find(state.id().utf8()).isPresent()) {
      entry(state, pending)
          .ifPresent(horizon::put); // else the schedule has left the queue, with one
    }
  }

  /**
   * The entry that a schedule needs; empty when it will never wait by this definition. What is not
   * plain may be due before that, such as when its run ends early.
   */
  public Optional<DueIndex.Entry> entry(ScheduleState state, Optional<Pending> pending) {
    byte[] id = state.id().utf8();
    if (moving.contains(state.id()) || !state.isPlain()) {
      return Optional.of(new DueIndex.Entry(DueIndex.ALWAYS, id));
    }
    return pending.map(it -> new DueIndex.Entry(it.due().toEpochMilli(), id));
  }

  /** Deletes the entry of a definition that is replaced or removed, if it waits in the index. */
  void forget(byte[] id, long dueMs) {
    horizon.index().delete(new DueIndex.Entry(dueMs, id));
  }

  /** Deletes an entry that means nothing. */
  public void delete(DueIndex.Entry entry) {
    horizon.index().delete(entry);
  }

  /** Deletes the entry of a schedule in step without further occurrences. */
  public void deleteOver(DueIndex.Entry entry) {
    if (!moving.contains(entry.id())) { // a calendar may give it others
      delete(entry);
    }
  }

  /** Moves an entry to the instant at which its schedule is due. */
  public void move(DueIndex.Entry entry, long dueMs) {
    if (entry.dueMs() != dueMs) {
      horizon.index().delete(entry);
      horizon.put(new DueIndex.Entry(dueMs, entry.id()));
    }
  }

  /** Removes a schedule from the queue if it is in step, and due after the end of the horizon. */
  public void evict(DueIndex.Entry entry, DueQueue.Entry queued) {
    boolean isFar =
        queued.isLive() && !queued.hasOwnProgress() && !horizon.includes(queued.dueMs());
    if (isFar && !moving.contains(entry.id())) {
      move(entry, queued.dueMs());
      queue.remove(queued);
    }
  }

  /** Fills a new index. */
  public void build(List<DueIndex.Entry> entries) {
    horizon.index().build(entries);
  }
}
