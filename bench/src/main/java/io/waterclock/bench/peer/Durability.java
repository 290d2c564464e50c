package io.waterclock.bench.peer;

/** The failure that schedules survive after the scheduler has acknowledged them. */
public enum Durability {
  NOTHING,

  /**
   * The end of its process. They are in the operating system's hands: a record that a single Kafka
   * broker has acknowledged, a commit of PostgreSQL with {@code fsync=off}.
   */
  PROCESS,

  /** The end of the machine. They are on the disk: a commit of PostgreSQL as it comes. */
  MACHINE
}
