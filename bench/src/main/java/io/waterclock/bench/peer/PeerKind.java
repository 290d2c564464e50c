package io.waterclock.bench.peer;

/** The schedulers that Waterclock is compared with. */
public enum PeerKind {
  DB_SCHEDULER("db-scheduler", true, 100_000),
  QUARTZ_RAM("Quartz in RAM", false, 100_000),
  QUARTZ_JDBC("Quartz JDBC", true, 10_000),
  JOBRUNR("JobRunr", true, 10_000);

  private final String title;
  private final boolean durable;
  private final int herd;

  PeerKind(String title, boolean durable, int herd) {
    this.title = title;
    this.durable = durable;
    this.herd = herd;
  }

  /** As tables and plots name it. */
  public String title() {
    return title;
  }

  /** Whether its schedules survive its end. */
  public boolean isDurable() {
    return durable;
  }

  /** How many schedules its herd has, so that it drains in bearable time. */
  public int herd() {
    return herd;
  }
}
