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
 * What the scheduler's processors need to know of the configuration.
 *
 * @param topics the names
 * @param partitions how many partitions the schedules topic has
 * @param wire how records are written and read
 * @param defaultTimezone for schedules that name none
 * @param instance the name of this instance, for watermarks
 * @param limits what a definition may ask for
 * @param pace how often and how long the processors work
 * @param completedRetention how long a completed schedule is kept
 * @param removedRetention how long at least a schedule that is gone is remembered
 * @param tombstonesKept how long the schedules and the calendars topic are sure to keep a tombstone
 * @param topicId the id that Kafka gave the schedules topic, for watermarks; empty where there is
 *     no Kafka
 * @param address HOST:PORT where this instance answers queries, for watermarks; empty: nowhere
 * @param targets which topics schedules may name as their targets
 */
public record Settings(
    Topics topics,
    int partitions,
    Wire wire,
    ZoneId defaultTimezone,
    String instance,
    Limits limits,
    Pace pace,
    Duration completedRetention,
    Duration removedRetention,
    Duration tombstonesKept,
    Optional<String> topicId,
    Optional<String> address,
    TargetRules targets) {

  /**
   * Where there is no Kafka, nobody answers queries, and no topic may be a target; what is gone is
   * remembered for an hour.
   */
  public Settings(
      Topics topics,
      int partitions,
      Wire wire,
      ZoneId defaultTimezone,
      String instance,
      Limits limits,
      Pace pace,
      Duration completedRetention,
      Duration tombstonesKept) {
    this(
        topics,
        partitions,
        wire,
        defaultTimezone,
        instance,
        limits,
        pace,
        completedRetention,
        Duration.ofHours(1),
        tombstonesKept,
        Optional.empty(),
        Optional.empty(),
        new TargetRules(AllowList.none(), OwnerLimits.none(), topics, topics.prefix()));
  }

  /**
   * What a definition may ask for, and how large records may be.
   *
   * @param minInterval the shortest interval of a schedule
   * @param maxFireBytes inclusive: the largest record, headers included, that a schedule may fire
   * @param maxStrayBytes inclusive: the largest record, headers included, that is moved home
   * @param maxDeadLetterBytes inclusive: the largest record, headers included, that may be a dead
   *     letter
   * @param owners what owners may have
   * @param imports of which schedules a record may say how far they were elsewhere
   */
  public record Limits(
      Duration minInterval,
      int maxFireBytes,
      int maxStrayBytes,
      int maxDeadLetterBytes,
      OwnerLimits owners,
      AllowList imports) {

    /** In bytes: what a dead letter adds to its record at most, the reason included. */
    public static final int DEAD_LETTER_OVERHEAD = 9 * 1024;

    /** With the same limit for all records and for all owners, who may all import. */
    public Limits(Duration minInterval, int maxFireBytes) {
      this(
          minInterval,
          maxFireBytes,
          maxFireBytes,
          maxFireBytes,
          OwnerLimits.none(),
          new AllowList(List.of("*")));
    }

    /**
     * Inclusive: the largest record that a schedule with this definition may fire. One with a
     * target leaves room for what makes its fire a dead letter, which is then the fire as it was.
     */
    public int maxFireBytes(Schedule schedule) {
      return schedule.getTarget() == null
          ? maxFireBytes
          : Math.min(maxFireBytes, maxDeadLetterBytes - DEAD_LETTER_OVERHEAD);
    }
  }

  /**
   * How much the tasks of a stream thread may decide together before the thread polls and commits
   * again. Whichever is used up first ends the ticks; each tick makes some progress even then.
   *
   * @param time 0 or more
   * @param decisions 1 or more
   * @param catchUp 0 or more: how much of the time may go to what is late anyway, as what is due
   *     meanwhile has to wait for it
   */
  public record Budget(Duration time, int decisions, Duration catchUp) {
    /** All of the time may go to catching up. */
    public Budget(Duration time, int decisions) {
      this(time, decisions, time);
    }
  }

  /**
   * How often and how long the processors work.
   *
   * @param tick time between two ticks
   * @param tickBudget how much a stream thread may decide before it polls and commits again
   * @param catchUpChunk how many occurrences of one schedule are replayed before the next one's
   *     turn
   * @param watermarkInterval time between two watermarks of a partition
   * @param watchdogInterval in which the walk passes every schedule once
   * @param backfillRate how many fires a second backfills may emit in a partition
   */
  public record Pace(
      Duration tick,
      Budget tickBudget,
      int catchUpChunk,
      Duration watermarkInterval,
      Duration watchdogInterval,
      int backfillRate) {
    private static final int BACKFILL_RATE = 100;

    /** At the default rate of backfills. */
    public Pace(
        Duration tick,
        Budget tickBudget,
        int catchUpChunk,
        Duration watermarkInterval,
        Duration watchdogInterval) {
      this(tick, tickBudget, catchUpChunk, watermarkInterval, watchdogInterval, BACKFILL_RATE);
    }

    /**
     * The defaults: 1 ms; 100 ms and 50,000 decisions, 10 ms of it to catch up; 100 occurrences, 5
     * s, 300 s; 100 fires a second.
     */
    public static Pace standard() {
      return new Pace(
          Duration.ofMillis(1),
          new Budget(Duration.ofMillis(100), 50_000, Duration.ofMillis(10)),
          100,
          Duration.ofSeconds(5),
          Duration.ofSeconds(300));
    }
  }
}
