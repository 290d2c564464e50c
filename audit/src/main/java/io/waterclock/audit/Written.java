package io.waterclock.audit;

import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Optional;

/**
 * A record of the topic schedules, at home in its partition and not written by the scheduler.
 *
 * @param revision topic-partition@offset
 * @param at its timestamp
 * @param schedule empty for a delete
 * @param wasRead whether the scheduler has said that it had read it before the other topics were
 *     read here
 * @param isImport whether it brings along how far the schedule was elsewhere
 */
public record Written(
    String scheduleId,
    String revision,
    Instant at,
    Optional<Schedule> schedule,
    boolean wasRead,
    boolean isImport) {}
