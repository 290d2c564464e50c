package io.waterclock.audit;

/** The position of a record, from a revision's name: topic-partition@offset. */
record Place(String partition, long offset) {

  /** A text in another form gets its own partition. */
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
