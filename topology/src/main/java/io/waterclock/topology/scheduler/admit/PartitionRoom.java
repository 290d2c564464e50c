package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import java.util.Optional;

/** Counts the records of a partition that wait in one place, and what they take of the heap. */
final class PartitionRoom {
  private final Room room = new Room(100_000, 256L << 20);
  private final WaitingMemory.Share memory;

  PartitionRoom(WaitingMemory.Share memory) {
    this.memory = memory;
  }

  /**
   * Why no further record of this size may wait; empty when it may.
   *
   * @param records what the records are called
   */
  Optional<String> full(int size, String records) {
    if (!room.has(size)) {
      return Optional.of(room.records() + " " + records + " of this partition");
    }
    return memory.isFull()
        ? Optional.of(
            room.records() + " " + records + " of this partition, and others of this instance,")
        : Optional.empty();
  }

  void take(ScheduleId id, int size) {
    room.take(size);
    memory.take(id);
  }

  void free(ScheduleId id, int size) {
    room.free(size);
    memory.free(id);
  }

  int records() {
    return room.records();
  }

  /** Gives the memory back. */
  void leave() {
    memory.leave();
  }
}
