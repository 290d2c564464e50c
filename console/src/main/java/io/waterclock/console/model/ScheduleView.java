package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import java.util.List;
import java.util.Optional;

/**
 * A schedule and what has happened to it, all of one state.
 *
 * @param partition as its owner has last written of it
 * @param fires the newest ones, newest first, as are the others
 */
public record ScheduleView(
    KnownSchedule known,
    Upcoming upcoming,
    Optional<PartitionRow> partition,
    List<FiredOccurrence> fires,
    List<MissedRow> missed,
    List<GivenCommand> commands) {}
