package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.Accepted;
import java.time.Instant;
import java.util.Optional;

/**
 * A value of the schedules store.
 *
 * @param completedAt when the completion was recorded
 */
public record StoredSchedule(Accepted accepted, Optional<Instant> completedAt) {}
