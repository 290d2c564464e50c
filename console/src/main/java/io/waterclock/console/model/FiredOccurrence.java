package io.waterclock.console.model;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A fire of one schedule.
 *
 * @param late from when it was due; 24 days at most
 * @param outcome the latest report of a worker
 */
public record FiredOccurrence(
    Instant occurrence,
    Instant firedAt,
    Duration late,
    Cause cause,
    int partition,
    long offset,
    Optional<OutcomeState> outcome) {}
