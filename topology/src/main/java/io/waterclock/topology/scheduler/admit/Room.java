package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import java.util.Optional;

/** Counts records that wait in one place, up to a bound in records and one in bytes. */
final class Room {
  private final int mostRecords;
  private final long mostBytes;
  private final Optional<WaitingMemory.Share> memory;
  private int records;
  private long bytes;

  /**
   * @param mostRecords inclusive
   * @param mostBytes inclusive
   */
  Room(int mostRecords, long mostBytes) {
    this(mostRecords, mostBytes, Optional.empty());
  }

  private Room(int mostRecords, long mostBytes, Optional<WaitingMemory.Share> memory) {
    this.mostRecords = mostRecords;
    this.mostBytes = mostBytes;
    this.memory = memory;
  }

  /** For the records of a partition, which also take a share of the heap. */
  static Room ofPartition(WaitingMemory.Share memory) {
    return new Room(100_000, 256L << 20, Optional.of(memory));
  }

  /**
   * Which records leave no room for one more of this size; empty when there is room.
   *
   * @param what the records are called
   */
  Optional<String> full(int size, String what) {
    if (records >= mostRecords || bytes + size > mostBytes) {
      return Optional.of(records + " " + what);
    }
    return memory
        .filter(WaitingMemory.Share::isFull)
        .map(share -> records + " " + what + ", and others of this instance,");
  }

  void take(ScheduleId id, int size) {
    records++;
    bytes += size;
    memory.ifPresent(share -> share.take(id));
  }

  void free(ScheduleId id, int size) {
    records--;
    bytes -= size;
    memory.ifPresent(share -> share.free(id));
  }

  int records() {
    return records;
  }

  /** Gives the memory back. */
  void leave() {
    memory.ifPresent(WaitingMemory.Share::leave);
  }
}
