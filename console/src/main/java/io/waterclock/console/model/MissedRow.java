package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.Optional;

/**
 * Occurrences of a schedule that did not fire.
 *
 * @param first inclusive
 * @param last inclusive
 * @param isAtLeast true if {@code count} is a lower bound
 * @param into the occurrence that fired for them, with COLLAPSED_INTO
 */
public record MissedRow(
    Instant first,
    Instant last,
    long count,
    @JsonProperty("at_least") boolean isAtLeast,
    MissedReason reason,
    Optional<Instant> into,
    Instant decidedAt) {}
