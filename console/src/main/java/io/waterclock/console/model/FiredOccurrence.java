package io.waterclock.console.model;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.Optional;

/**
 * A fire of one schedule.
 *
 * @param lateMs from when it was due; 24 days at most
 * @param outcome the latest report of a worker
 */
public record FiredOccurrence(
    Instant occurrence,
    Instant firedAt,
    long lateMs,
    Cause cause,
    int partition,
    long offset,
    Optional<OutcomeState> outcome) {}
