package io.waterclock.audit;

/** Where a record is: what a revision's name, topic-partition@offset, says. */
record Place(String partition, long offset) {

  /** One that is no such name is in a partition of its own. */
  static Place of(String revision) {
    int at = revision.lastIndexOf('@');
    try {
      return new Place(revision.substring(0, at), Long.parseLong(revision.substring(at + 1)));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return new Place(revision, 0);
    }
  }

  boolean isSamePartition(String revision) {
    return partition.equals(of(revision).partition);
  }

  boolean isAtOrAfter(Place other) {
    return partition.equals(other.partition) && offset >= other.offset;
  }
}
