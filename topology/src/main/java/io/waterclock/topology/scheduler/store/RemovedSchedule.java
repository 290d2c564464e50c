package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.EarlierLives;
import java.time.Instant;

/**
 * A removed schedule.
 *
 * @param writtenAt the timestamp of its last write: of the tombstone that deleted it or, if it was
 *     removed after its completion, of its definition
 * @param removedAt when the removal was processed
 * @param through inclusive: the offset in its partition up to which no record defines it again:
 *     that of the tombstone or, without a tombstone, of its definition
 * @param decided the progress of this life of the id and of earlier ones
 */
public record RemovedSchedule(
    Instant writtenAt, Instant removedAt, long through, EarlierLives decided) {}
