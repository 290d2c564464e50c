package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.WalkProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One pass of the walk through the schedules of a partition, under way or ended. */
final class WatchdogPass {
  private final Instant startedAt;
  private final Optional<Instant> previousStartedAt;
  private final long begunWith;
  private Optional<Instant> endedAt = Optional.empty();
  private Optional<ScheduleId> reached = Optional.empty();
  private long walked;
  private long repaired;
  private long faulted;

  private WatchdogPass(Instant startedAt, Optional<Instant> previousStartedAt, long begunWith) {
    this.startedAt = startedAt;
    this.previousStartedAt = previousStartedAt;
    this.begunWith = begunWith;
  }

  /** The rebuild of the queue, which has come to every schedule as a pass does. */
  static WatchdogPass rebuild(Instant startedAt, Instant endedAt) {
    WatchdogPass pass = new WatchdogPass(startedAt, Optional.empty(), 0);
    pass.endedAt = Optional.of(endedAt);
    return pass;
  }

  /**
   * The pass after this one, which has ended.
   *
   * @param schedules how many there are
   */
  WatchdogPass next(Instant now, long schedules) {
    return new WatchdogPass(now, Optional.of(startedAt), schedules);
  }

  Instant startedAt() {
    return startedAt;
  }

  boolean hasEnded() {
    return endedAt.isPresent();
  }

  Optional<ScheduleId> reached() {
    return reached;
  }

  /**
   * How many schedules it is behind where it should be at an instant.
   *
   * @param interval that it is to take
   * @param schedules how many there are now; fewer than at its beginning when it removes them
   */
  long behind(Instant at, Duration interval, long schedules) {
    double share =
        Math.min(
            1.0,
            (double) Duration.between(startedAt, at).toMillis() / Math.max(1, interval.toMillis()));
    return (long) Math.ceil(share * most(schedules)) - walked;
  }

  /** True when its time is up, or it has seen as many as there are: the end is left to be found. */
  boolean shouldEnd(Instant at, Duration interval, long schedules) {
    return walked >= most(schedules) || !at.isBefore(startedAt.plus(interval));
  }

  private long most(long schedules) {
    return Math.max(begunWith, schedules);
  }

  /** Every schedule up to this one has been seen. */
  void reach(ScheduleId last, int schedules) {
    reached = Optional.of(last);
    walked += schedules;
  }

  void repaired() {
    repaired++;
  }

  void faulted() {
    faulted++;
  }

  void end(Instant now) {
    endedAt = Optional.of(now);
    reached = Optional.empty();
  }

  WalkProgress progress() {
    WalkProgress progress =
        WalkProgress.newBuilder()
            .setStartedAt(startedAt)
            .setWalked(walked)
            .setRepaired(repaired)
            .setFaulted(faulted)
            .build();
    endedAt.ifPresent(progress::setEndedAt);
    reached.map(ScheduleId::value).ifPresent(progress::setReached);
    previousStartedAt.ifPresent(progress::setPreviousStartedAt);
    return progress;
  }
}
