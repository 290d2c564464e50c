package io.waterclock.audit;

import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Optional;

/**
 * A record of the topic schedules, in its home partition and not written by the scheduler.
 *
 * @param revision topic-partition@offset
 * @param at its timestamp
 * @param schedule empty for a delete
 * @param wasRead whether a watermark shows that the scheduler read it before the audit read the
 *     other topics
 * @param isImport whether it contains the progress of the schedule in another scheduler
 */
public record Written(
    String scheduleId,
    String revision,
    Instant at,
    Optional<Schedule> schedule,
    boolean wasRead,
    boolean isImport) {}
