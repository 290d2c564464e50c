package io.waterclock.console.model;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One minute.
 *
 * @param at its beginning
 * @param fires emitted in it, of any cause
 * @param missed occurrences that were decided as missed in it
 * @param outcomes that workers reported in it
 * @param p50Ms how late the fires were that were due by a trigger; empty without such fires, as the
 *     others are; exact to one per cent
 */
public record MinuteOfFires(
    Instant at,
    long fires,
    Map<MissedReason, Long> missed,
    Map<OutcomeState, Long> outcomes,
    Optional<Long> p50Ms,
    Optional<Long> p99Ms,
    Optional<Long> maxMs) {}
