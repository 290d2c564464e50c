package io.waterclock.bench.chaos.account;

/**
 * An occurrence that fired in its turn, or was missed.
 *
 * @param dueByMs when it was due at the latest
 */
public record Decided(String scheduleId, long occurrenceMs, long dueByMs, boolean hasFired) {}
