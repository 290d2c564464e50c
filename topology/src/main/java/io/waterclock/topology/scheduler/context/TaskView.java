package io.waterclock.topology.scheduler.context;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.Lane;
import java.time.Instant;
import java.util.Optional;

/** How a task stands. To be asked on the task's stream thread only. */
public interface TaskView {

  /** What it has done; the same object until the task is revoked. */
  Counts counts();

  /**
   * How many schedules have something due in a lane that is not yet decided. O(1) but for the live
   * lane, where it grows with the answer.
   */
  long backlog(Lane lane, Instant now);

  /** How many records wait until they can be read. */
  long parked();

  /**
   * What the latest watermark says is decided; before the first one since the assignment, what the
   * stored position says. Empty for a partition that never had one.
   */
  Optional<Instant> decidedThrough();

  /** What a watermark would say now. O(schedules in the catch-up lane). */
  Watermark watermark();

  /** How one schedule of the task stands; empty when it has no such schedule. */
  Optional<ScheduleView> schedule(ScheduleId id);

  /**
   * Asks for a walk through all schedules, as fast as the fires leave room. One that was asked for
   * and has not ended yet will do.
   *
   * @return the first pass of the walk that begins at or after this instant is meant
   */
  Instant walk();
}
