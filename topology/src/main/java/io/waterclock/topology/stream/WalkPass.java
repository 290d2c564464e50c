package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.WalkProgress;
import java.time.Instant;
import java.util.Optional;

/** One pass of the walk through the schedules of a partition, under way or ended. */
final class WalkPass {
  private final Instant startedAt;
  private final Optional<Instant> previousStartedAt;
  private Optional<Instant> endedAt = Optional.empty();
  private Optional<ScheduleId> reached = Optional.empty();
  private long walked;
  private long repaired;
  private long faulted;

  private WalkPass(Instant startedAt, Optional<Instant> previousStartedAt) {
    this.startedAt = startedAt;
    this.previousStartedAt = previousStartedAt;
  }

  /** The rebuild of the queue, which has come to every schedule as a pass does. */
  static WalkPass rebuild(Instant startedAt, Instant endedAt) {
    WalkPass pass = new WalkPass(startedAt, Optional.empty());
    pass.endedAt = Optional.of(endedAt);
    return pass;
  }

  /** The pass after this one, which has ended. */
  WalkPass next(Instant now) {
    return new WalkPass(now, Optional.of(startedAt));
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

  long walked() {
    return walked;
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
