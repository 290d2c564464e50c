package io.waterclock.audit;

import io.waterclock.occurrences.core.Count;
import java.time.Instant;
import java.util.List;

/**
 * The outcomes of the occurrences of one revision in a window of time. Without findings, {@code
 * occurrences = fired + waiting + missed}.
 *
 * @param after exclusive: the start of the proof
 * @param through inclusive: the end of the proof
 * @param occurrences the number that the trigger names, counted by the audit
 * @param fired the number that fired
 * @param waiting the number that is decided and waits for a limit
 * @param missed the number in missed ranges, counted by the audit
 * @param findings in chronological order
 */
public record Account(
    String scheduleId,
    String revision,
    Instant after,
    Instant through,
    Count occurrences,
    long fired,
    long waiting,
    Count missed,
    List<Finding> findings) {}
