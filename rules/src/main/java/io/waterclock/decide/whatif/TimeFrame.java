package io.waterclock.decide.whatif;

import java.time.Instant;

/**
 * The time for which occurrences are compared.
 *
 * @param now inclusive, a whole millisecond: everything due before is decided
 * @param end exclusive
 */
public record TimeFrame(Instant now, Instant end) {}
