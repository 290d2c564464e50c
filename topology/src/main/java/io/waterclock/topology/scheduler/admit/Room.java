package io.waterclock.topology.scheduler.admit;

/** Counts records that wait in one place, up to a bound in records and one in bytes. */
final class Room {
  private final int mostRecords;
  private final long mostBytes;
  private int records;
  private long bytes;

  /**
   * @param mostRecords inclusive
   * @param mostBytes inclusive
   */
  Room(int mostRecords, long mostBytes) {
    this.mostRecords = mostRecords;
    this.mostBytes = mostBytes;
  }

  /** True when one more record of this size may wait. */
  boolean has(int size) {
    return records < mostRecords && bytes + size <= mostBytes;
  }

  void take(int size) {
    records++;
    bytes += size;
  }

  void free(int size) {
    records--;
    bytes -= size;
  }

  int records() {
    return records;
  }
}
