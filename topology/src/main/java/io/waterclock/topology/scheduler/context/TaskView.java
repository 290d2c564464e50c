package io.waterclock.topology.scheduler.context;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.Lane;
import java.time.Instant;
import java.util.Optional;

/** The current state of a task. For the task's stream thread only. */
public interface TaskView {

  /** The task's counts; the same object until the task is revoked. */
  Counts counts();

  /**
   * How many schedules of a lane have a due and undecided occurrence. O(1), except in the live
   * lane, where the cost grows with the answer.
   */
  long backlog(Lane lane, Instant now);

  /** How many records are held until their schemas are available. */
  long heldRecords();

  /**
   * The instant through which the latest watermark says that everything is decided. Before the
   * first watermark since the assignment, from the stored position. Empty for a partition without
   * one.
   */
  Optional<Instant> decidedThrough();

  /**
   * When the latest watchdog pass that has ended began: it has checked every schedule that existed
   * then. Empty before the first one has ended.
   */
  Optional<Instant> checkedSince();

  /** The watermark that the task would write now. O(schedules in the catch-up lane). */
  Watermark watermark();

  /** The current state of one schedule; empty when the task has no such schedule. */
  Optional<ScheduleView> schedule(ScheduleId id);

  /**
   * Requests a watchdog pass over all schedules, as fast as the fires allow. A requested pass that
   * has not ended yet is not repeated.
   *
   * @return the requested pass is the first that begins at or after this instant
   */
  Instant requestPass();
}
