package io.waterclock.topology.scheduler.context;

import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.topology.scheduler.count.Lane;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.time.Instant;
import java.util.Optional;

/**
 * How a schedule stands.
 *
 * @param status as its topic would tell it now
 * @param next what it waits for; empty when it is held, parked or complete
 * @param inStep true when the position of its partition says how far it is decided
 * @param lane where its queue entry is; empty when it has none
 * @param queuedFor when its queue entry is due
 */
public record ScheduleView(
    ScheduleState state,
    ScheduleStatus status,
    Optional<Occurrence> next,
    boolean inStep,
    Optional<Lane> lane,
    Optional<Instant> queuedFor) {}
