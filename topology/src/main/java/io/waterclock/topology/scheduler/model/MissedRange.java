package io.waterclock.topology.scheduler.model;

import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.Optional;

/**
 * Occurrences of one revision that will not fire.
 *
 * @param first inclusive
 * @param last inclusive
 * @param count a lower bound when not exact
 * @param collapsedInto with COLLAPSED_INTO: the occurrence that fires for them
 */
public record MissedRange(
    String revision,
    Instant first,
    Instant last,
    long count,
    boolean exact,
    MissedReason reason,
    Optional<Instant> collapsedInto) {}
