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

  /** How many records are held until their schemas are available. */
  long heldRecords();

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
   * Requests a watchdog pass over all schedules, as fast as the fires allow. A requested pass that
   * has not ended yet is not repeated.
   *
   * @return the requested pass is the first that begins at or after this instant
   */
  Instant requestPass();
}
