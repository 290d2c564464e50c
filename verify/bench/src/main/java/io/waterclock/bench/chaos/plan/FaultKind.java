package io.waterclock.bench.chaos.plan;

import java.time.Duration;

/** A kind of fault. Each is healed when its duration is over. */
public enum FaultKind {
  /** A scheduler is killed, and starts again later. */
  KILL(Target.SCHEDULER, 6, 500, 7_000),
  /** A scheduler stands still, shorter than its session time-out. */
  STALL_SHORT(Target.SCHEDULER, 4, 800, 3_000),
  /** A scheduler stands still, longer than its session time-out and its transactions. */
  STALL_LONG(Target.SCHEDULER, 5, 7_000, 12_000),
  /** A scheduler ends in order, and starts again later. */
  TERM(Target.SCHEDULER, 4, 300, 4_000),
  /** A scheduler is killed, and starts without its state directory. */
  WIPE(Target.SCHEDULER, 3, 300, 4_000),
  /** A scheduler ends in order, and starts with an older copy of its state directory. */
  OLD_STATE(Target.SCHEDULER, 4, 300, 4_000),
  /** The disk of a scheduler's state is full. */
  FULL_DISK(Target.SCHEDULER, 2, 3_000, 9_000),
  /** The disk of a scheduler's state stands still again and again. */
  SLOW_DISK(Target.SCHEDULER, 3, 4_000, 12_000),
  /** A scheduler's clock is off by a step. */
  CLOCK_STEP(Target.SCHEDULER, 4, 3_000, 9_000),
  /** A scheduler's clock runs too fast or too slow. */
  CLOCK_DRIFT(Target.SCHEDULER, 3, 5_000, 12_000),
  /** Every request and response of a scheduler is delayed. */
  DELAY(Target.SCHEDULER, 4, 3_000, 9_000),
  /** A scheduler's connections are cut, and none is accepted. */
  CUT(Target.SCHEDULER, 4, 1_000, 10_000),
  /** A scheduler's connections stay, and carry nothing in one direction or in both. */
  HALF_OPEN(Target.SCHEDULER, 4, 2_000, 10_000),
  /** The broker commits, and its response does not reach the scheduler. */
  WITHHOLD_COMMIT(Target.SCHEDULER, 6, 1_000, 9_000),
  /** A request of a transaction fails with an error. */
  FAIL_REQUEST(Target.SCHEDULER, 6, 1_500, 4_000),
  /** A broker is killed, and starts again later. */
  BROKER_KILL(Target.BROKER, 5, 1_000, 8_000),
  /** A broker stands still. */
  BROKER_STALL(Target.BROKER, 4, 2_000, 9_000),
  /** A broker ends in order, and starts again later. */
  BROKER_TERM(Target.BROKER, 2, 500, 4_000),
  /** Two of three brokers are killed at once. */
  TWO_BROKERS_KILL(Target.BROKER, 3, 1_000, 6_000),
  /** Two of three brokers stand still at once. */
  TWO_BROKERS_STALL(Target.BROKER, 2, 2_000, 8_000),
  /** What the scheduler has read of outcomes is deleted. */
  RETENTION(Target.TOPICS, 2, 500, 1_000),
  /** The changelogs are compacted within seconds. */
  COMPACTION(Target.TOPICS, 3, 4_000, 12_000),
  /** A topic that schedulers only write, or that is a target, gets one more partition. */
  MORE_PARTITIONS(Target.TOPICS, 2, 500, 1_000),
  /** The schema registry cannot be reached, fails, or takes requests and does not answer. */
  REGISTRY_AWAY(Target.REGISTRY, 5, 3_000, 20_000),
  /** The database of a worker is killed, or stands still. */
  DATABASE_AWAY(Target.DATABASE, 4, 1_000, 12_000),
  /** A worker is killed, and starts again later. */
  WORKER_KILL(Target.WORKER, 3, 500, 5_000),
  /** A scheduler ends in order; its other version takes its place. */
  UPGRADE(Target.SCHEDULER, 4, 300, 2_000);

  /** What is hit. */
  public enum Target {
    SCHEDULER,
    BROKER,
    TOPICS,
    REGISTRY,
    DATABASE,
    WORKER
  }

  private final Target target;
  private final int weight;
  private final int leastMs;
  private final int mostMs;

  FaultKind(Target target, int weight, int leastMs, int mostMs) {
    this.target = target;
    this.weight = weight;
    this.leastMs = leastMs;
    this.mostMs = mostMs;
  }

  public Target target() {
    return target;
  }

  /** How often it comes, compared with others. */
  int weight() {
    return weight;
  }

  Duration least() {
    return Duration.ofMillis(leastMs);
  }

  Duration most() {
    return Duration.ofMillis(mostMs);
  }

  /** Whether it sets a clock, so that the account must allow for one that is off. */
  public boolean setsClock() {
    return this == CLOCK_STEP || this == CLOCK_DRIFT;
  }

  /** Whether a scheduler needs a disk of its own for it. */
  public boolean needsDisk() {
    return this == FULL_DISK || this == SLOW_DISK;
  }

  boolean needsThreeBrokers() {
    return this == TWO_BROKERS_KILL || this == TWO_BROKERS_STALL;
  }
}
