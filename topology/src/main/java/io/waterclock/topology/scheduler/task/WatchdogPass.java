package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.WalkProgress;
import io.waterclock.topology.scheduler.count.WatchdogAction;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** One watchdog pass over the schedules of a partition, under way or ended. */
final class WatchdogPass {
  private final Instant startedAt;
  private final Optional<Instant> previousStartedAt;
  private final long begunWith;
  private Optional<Instant> endedAt = Optional.empty();
  private Optional<ScheduleId> reached = Optional.empty();
  private long checked;
  private final Map<WatchdogAction, Long> actions = new EnumMap<>(WatchdogAction.class);

  private WatchdogPass(Instant startedAt, Optional<Instant> previousStartedAt, long begunWith) {
    this.startedAt = startedAt;
    this.previousStartedAt = previousStartedAt;
    this.begunWith = begunWith;
  }

  /**
   * The first pass of a task.
   *
   * @param schedules about how many exist
   */
  static WatchdogPass first(Instant startedAt, long schedules) {
    return new WatchdogPass(startedAt, Optional.empty(), schedules);
  }

  /** The loader without an index, which counts as a pass because it reads every schedule. */
  static WatchdogPass ofLoader(Instant startedAt, Instant endedAt) {
    WatchdogPass pass = new WatchdogPass(startedAt, Optional.empty(), 0);
    pass.endedAt = Optional.of(endedAt);
    return pass;
  }

  /** The pass after this one, which must have ended. */
  WatchdogPass next(Instant now, long schedules) {
    return new WatchdogPass(now, Optional.of(startedAt), schedules);
  }

  Instant startedAt() {
    return startedAt;
  }

  /** When the pass before began; of the first pass of a task, when it began itself. */
  Instant previousStartedAt() {
    return previousStartedAt.orElse(startedAt);
  }

  boolean hasEnded() {
    return endedAt.isPresent();
  }

  Optional<ScheduleId> reached() {
    return reached;
  }

  /**
   * How many schedules the pass is behind its plan at an instant.
   *
   * @param interval the time that a pass should take
   * @param schedules how many exist now; fewer than at the beginning if the pass removes some
   */
  long behind(Instant at, Duration interval, long schedules) {
    double share =
        Math.min(
            1.0,
            (double) Duration.between(startedAt, at).toMillis() / Math.max(1, interval.toMillis()));
    return (long) Math.ceil(share * most(schedules)) - checked;
  }

  /** True when the time of the pass is up, or it has checked as many schedules as exist. */
  boolean shouldEnd(Instant at, Duration interval, long schedules) {
    return checked >= most(schedules) || !at.isBefore(startedAt.plus(interval));
  }

  private long most(long schedules) {
    return Math.max(begunWith, schedules);
  }

  /** Notes that every schedule up to this one was checked. */
  void reach(ScheduleId last, int schedules) {
    reached = Optional.of(last);
    checked += schedules;
  }

  void did(WatchdogAction action) {
    actions.merge(action, 1L, Long::sum);
  }

  private long actions(WatchdogAction action) {
    return actions.getOrDefault(action, 0L);
  }

  void end(Instant now) {
    endedAt = Optional.of(now);
    reached = Optional.empty();
  }

  /** What an ended pass has done, for the log. */
  @Override
  public String toString() {
    return "%s schedules checked in %s; queue entries: %s created, %s re-enqueued, %s removed; %s"
        .formatted(
            checked,
            Duration.between(startedAt, endedAt.orElse(startedAt)),
            actions(WatchdogAction.ENTRY_CREATED),
            actions(WatchdogAction.ENTRY_REQUEUED),
            actions(WatchdogAction.ENTRY_REMOVED),
            actions(WatchdogAction.SCHEDULE_RETRIED) + " faulted schedules tried again");
  }

  WalkProgress progress() {
    WalkProgress progress =
        WalkProgress.newBuilder()
            .setStartedAt(startedAt)
            .setWalked(checked)
            .setRepaired(
                actions(WatchdogAction.ENTRY_CREATED)
                    + actions(WatchdogAction.ENTRY_REQUEUED)
                    + actions(WatchdogAction.ENTRY_REMOVED))
            .setFaulted(actions(WatchdogAction.SCHEDULE_RETRIED))
            .build();
    endedAt.ifPresent(progress::setEndedAt);
    reached.map(ScheduleId::value).ifPresent(progress::setReached);
    previousStartedAt.ifPresent(progress::setPreviousStartedAt);
    return progress;
  }
}
