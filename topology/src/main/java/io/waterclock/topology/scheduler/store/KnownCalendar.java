package io.waterclock.topology.scheduler.store;

import java.time.Instant;
import java.util.Optional;

/**
 * A stored version of a calendar without its dates.
 *
 * @param bytes of its dates in the store
 */
public record KnownCalendar(
    long seq,
    long offset,
    Instant writtenAt,
    Optional<Instant> effectiveAt,
    boolean deleted,
    int bytes) {}
