package io.waterclock.topology.scheduler.context;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * The part of the configuration that the scheduler's processors use.
 *
 * @param pace how often and how long the processors work
 */
public record Settings(
    Channels channels,
    Limits limits,
    Pace pace,
    Retention retention,
    Alerting alerting,
    Identity identity) {

  /**
   * The topics, and how their records are read and written.
   *
   * @param partitions how many partitions the schedules topic has
   * @param targets which topics schedules may name as their targets
   * @param limits whether schedules may name a limit, and the limiter runs
   * @param defaultTimezone for schedules that name none
   */
  public record Channels(
      Topics topics,
      int partitions,
      TargetRules targets,
      boolean limits,
      Wire wire,
      ZoneId defaultTimezone) {}

  /**
   * How long what is over is known.
   *
   * @param completed how long a completed schedule is kept
   * @param removed the least time for which a removed schedule is remembered
   * @param tombstones how long the schedules and the calendars topic keep a tombstone at least
   */
  public record Retention(Duration completed, Duration removed, Duration tombstones) {}

  /**
   * When a schedule is a problem that a person should hear of.
   *
   * @param failingAfter after how many failed fires in a row; 0: never
   */
  public record Alerting(int failingAfter) {
    /** No schedule is. */
    public static final Alerting OFF = new Alerting(0);
  }

  /**
   * What watermarks say of the instance.
   *
   * @param topicId the id that Kafka gave the schedules topic; empty without Kafka
   * @param address the HOST:PORT at which this instance answers queries; empty without a server
   */
  public record Identity(String instance, Optional<String> topicId, Optional<String> address) {
    /** An instance without Kafka and a server. */
    public static Identity of(String instance) {
      return new Identity(instance, Optional.empty(), Optional.empty());
    }
  }

  /**
   * The limits of definitions and of record sizes.
   *
   * @param maxFireBytes inclusive: the largest fire of a schedule, headers included
   * @param maxStrayBytes inclusive: the largest stray that moves home, headers included
   * @param maxDeadLetterBytes inclusive: the largest dead letter, headers included
   * @param imports the schedules whose records may carry imported progress
   * @param fireBytes what fires may take
   */
  public record Limits(
      Duration minInterval,
      int maxFireBytes,
      int maxStrayBytes,
      int maxDeadLetterBytes,
      OwnerLimits owners,
      AllowList imports,
      FireBytes fireBytes) {

    /** The most bytes that a dead letter adds to its record, the reason included. */
    public static final int DEAD_LETTER_OVERHEAD = 9 * 1024;

    /** The most bytes that a fire has more while it waits for a limit, in a topic or a store. */
    public static final int WAITING_OVERHEAD = 2 * 1024;

    /** Limits with one size for all records, no limits of owners, and imports for all schedules. */
    public Limits(Duration minInterval, int maxFireBytes) {
      this(
          minInterval,
          maxFireBytes,
          maxFireBytes,
          maxFireBytes,
          OwnerLimits.none(),
          new AllowList(List.of("*")),
          FireBytes.unlimited());
    }

    /**
     * Inclusive: the largest fire of a schedule with this definition. A fire with a target leaves
     * room for the headers of a dead letter, which keeps the fire as it was.
     */
    public int maxFireBytes(Schedule schedule) {
      int most = maxWrittenBytes(schedule);
      return schedule.getTarget() == null
          ? most
          : Math.min(most, maxDeadLetterBytes - DEAD_LETTER_OVERHEAD);
    }

    /** Inclusive: the largest fire that can be written now, and kept while it waits for a limit. */
    public int maxWrittenBytes(Schedule schedule) {
      return schedule.getLimit() == null ? maxFireBytes : maxFireBytes - WAITING_OVERHEAD;
    }
  }

  /**
   * What fires may take. A fire of at most 16 KiB is small.
   *
   * @param payload inclusive: the largest payload of a schedule that repeats, in bytes, unless its
   *     owner has a limit of its own
   * @param small how many bytes a second the small fires of an owner may take in a partition, 1 or
   *     more
   * @param large the same for large fires
   */
  public record FireBytes(int payload, int small, int large) {
    /** The defaults: 256 KiB, 8 MiB a second, and 1 MiB a second. */
    public static FireBytes standard() {
      return new FireBytes(256 << 10, 8 << 20, 1 << 20);
    }

    /** No limits. */
    public static FireBytes unlimited() {
      return new FireBytes(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }
  }

  /**
   * How much the tasks of a stream thread may decide together before the thread polls and commits
   * again. The first bound that is reached ends the ticks; each tick still makes some progress.
   *
   * @param time 0 or more
   * @param decisions 1 or more
   * @param catchUp 0 or more: the share of the time for catch-up that newly due occurrences wait
   *     for; while none is due, catch-up has up to a quarter of the time
   */
  public record Budget(Duration time, int decisions, Duration catchUp) {
    /** A budget whose whole time may go to catch-up. */
    public Budget(Duration time, int decisions) {
      this(time, decisions, time);
    }
  }

  /**
   * The intervals and bounds of the processors' work.
   *
   * @param tick time between two ticks
   * @param tickBudget how much a stream thread may decide before it polls and commits again
   * @param catchUpChunk how many occurrences of one schedule a replay fires before the next
   *     schedule's turn
   * @param watermarkInterval time between two watermarks of a partition
   * @param watchdogInterval the time of one watchdog pass over all schedules
   * @param backfillRate how many fires a second backfills may emit in a partition
   * @param horizon up to when a task has its schedules in memory, at most; at least half of it
   */
  public record Pace(
      Duration tick,
      Budget tickBudget,
      int catchUpChunk,
      Duration watermarkInterval,
      Duration watchdogInterval,
      int backfillRate,
      Duration horizon) {
    /** The horizon of applications. */
    public static final Duration HORIZON = Duration.ofMinutes(5);

    private static final int BACKFILL_RATE = 100;

    /** A pace with the default rate of backfills and the default horizon. */
    public Pace(
        Duration tick,
        Budget tickBudget,
        int catchUpChunk,
        Duration watermarkInterval,
        Duration watchdogInterval) {
      this(
          tick,
          tickBudget,
          catchUpChunk,
          watermarkInterval,
          watchdogInterval,
          BACKFILL_RATE,
          HORIZON);
    }

    /**
     * The defaults: 1 ms; 100 ms and 50,000 decisions, 1 ms of it to catch up while others are due;
     * 100 occurrences, 5 s, 300 s; 100 fires a second.
     */
    public static Pace standard() {
      return new Pace(
          Duration.ofMillis(1),
          new Budget(Duration.ofMillis(100), 50_000, Duration.ofMillis(1)),
          100,
          Duration.ofSeconds(5),
          Duration.ofSeconds(300));
    }
  }
}
