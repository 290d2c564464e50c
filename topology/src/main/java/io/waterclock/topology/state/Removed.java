package io.waterclock.topology.state;

import java.time.Instant;

/**
 * A schedule that is gone.
 *
 * @param writtenAt when the last word on it was written: the tombstone that deleted it or, if it
 *     was removed after its completion, its definition
 * @param removedAt when that was processed
 */
public record Removed(Instant writtenAt, Instant removedAt) {}
