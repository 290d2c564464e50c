package io.waterclock.bench.peer;

import java.util.Locale;

/**
 * The schedulers that Waterclock is compared with. What they keep in a database survives what a
 * record on a single Kafka broker does, but for the one with {@code fsync}.
 */
public enum PeerKind {
  DB_SCHEDULER("db-scheduler", Durability.PROCESS, Place.POSTGRES, 1_000_000),
  DB_SCHEDULER_FSYNC("db-scheduler, fsync", Durability.MACHINE, Place.POSTGRES, 1_000_000),
  QUARTZ_RAM("Quartz in RAM", Durability.NOTHING, Place.OWN_MEMORY, 100_000),
  QUARTZ_JDBC("Quartz JDBC", Durability.PROCESS, Place.POSTGRES, 10_000),
  JOBRUNR("JobRunr", Durability.PROCESS, Place.POSTGRES, 10_000),
  ROCKETMQ("RocketMQ 5", Durability.PROCESS, Place.ROCKETMQ, 1_000_000),
  PULSAR("Pulsar 4", Durability.PROCESS, Place.PULSAR, 1_000_000);

  private final String title;
  private final Durability durability;
  private final Place place;
  private final int largestHerd;

  PeerKind(String title, Durability durability, Place place, int largestHerd) {
    this.title = title;
    this.durability = durability;
    this.place = place;
    this.largestHerd = largestHerd;
  }

  /** The name in tables. */
  public String title() {
    return title;
  }

  public Durability durability() {
    return durability;
  }

  public Place place() {
    return place;
  }

  /** The largest herd that drains in minutes. */
  public int largestHerd() {
    return largestHerd;
  }

  /** What keeps its schedules. */
  public enum Place {
    OWN_MEMORY,
    POSTGRES,
    ROCKETMQ,
    PULSAR;

    /** True for a server whose jars a build of its own fetches. */
    public boolean isFetched() {
      return this == ROCKETMQ || this == PULSAR;
    }

    String folder() {
      return name().toLowerCase(Locale.ROOT);
    }
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
