package io.waterclock.topology.scheduler.store;

import io.waterclock.topology.scheduler.model.EarlierLives;
import java.time.Instant;

/**
 * A schedule that is gone.
 *
 * @param writtenAt when the last word on it was written: the tombstone that deleted it or, if it
 *     was removed after its completion, its definition
 * @param removedAt when that was processed
 * @param through the offset in its partition, inclusive, up to which no record brings it back: of
 *     the tombstone or, while that is not there, of its definition
 * @param decided what this life of the id and those before it have decided
 */
public record RemovedSchedule(
    Instant writtenAt, Instant removedAt, long through, EarlierLives decided) {}
