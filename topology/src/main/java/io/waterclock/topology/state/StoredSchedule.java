package io.waterclock.topology.state;

import io.waterclock.topology.decide.Accepted;
import java.time.Instant;
import java.util.Optional;

/**
 * A value of the schedules store.
 *
 * @param completedAt when the completion was recorded
 */
public record StoredSchedule(Accepted accepted, Optional<Instant> completedAt) {}
