package io.waterclock.definition;

import java.time.Instant;

/**
 * A nominal instant and the instant at which it should fire.
 *
 * @param at the identity of the occurrence
 * @param due at or after {@code at}, before the following occurrence
 */
public record Occurrence(Instant at, Instant due) {}
