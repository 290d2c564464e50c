package io.waterclock.topology.scheduler.context;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.topology.scheduler.count.Lane;
import java.time.Instant;
import java.util.Optional;

/**
 * The current state of a schedule.
 *
 * @param status as the status topic would show it now
 * @param next the occurrence that it waits for; empty when it is paused, faulted or complete
 * @param deadline of what is expected of its runs: it is queued for the earlier of the two
 * @param inStep true when the position of its partition defines its progress
 * @param lane of its queue entry; empty when it has none
 * @param queuedFor when its queue entry is due
 */
public record ScheduleView(
    ScheduleState state,
    ScheduleStatus status,
    Optional<Occurrence> next,
    Optional<Instant> deadline,
    boolean inStep,
    Optional<Lane> lane,
    Optional<Instant> queuedFor) {}
