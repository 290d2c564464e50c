package io.waterclock.bench.peer;

/**
 * The schedulers that Waterclock is compared with. What they keep in a database survives what a
 * record on a single Kafka broker does, but for the one with {@code fsync}.
 */
public enum PeerKind {
  DB_SCHEDULER("db-scheduler", Durability.PROCESS, 1_000_000),
  DB_SCHEDULER_FSYNC("db-scheduler, fsync", Durability.MACHINE, 1_000_000),
  QUARTZ_RAM("Quartz in RAM", Durability.NOTHING, 100_000),
  QUARTZ_JDBC("Quartz JDBC", Durability.PROCESS, 10_000),
  JOBRUNR("JobRunr", Durability.PROCESS, 10_000);

  private final String title;
  private final Durability durability;
  private final int largestHerd;

  PeerKind(String title, Durability durability, int largestHerd) {
    this.title = title;
    this.durability = durability;
    this.largestHerd = largestHerd;
  }

  /** The name in tables and plots. */
  public String title() {
    return title;
  }

  public Durability durability() {
    return durability;
  }

  public boolean hasDatabase() {
    return durability != Durability.NOTHING;
  }

  /** The largest herd that drains in minutes. */
  public int largestHerd() {
    return largestHerd;
  }

  /** The failure that schedules survive after the scheduler has acknowledged them. */
  public enum Durability {
    NOTHING,

    /**
     * The end of its process. They are in the operating system's hands: a record that a single
     * Kafka broker has acknowledged, a commit of PostgreSQL with {@code fsync=off}.
     */
    PROCESS,

    /** The end of the machine. They are on the disk: a commit of PostgreSQL as it comes. */
    MACHINE
  }
}
