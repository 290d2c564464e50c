package io.waterclock.audit;

import io.waterclock.occurrences.core.Count;
import java.time.Instant;
import java.util.List;

/**
 * What became of the occurrences of one revision in a window of time. Without findings, {@code
 * occurrences = fired + missed}.
 *
 * @param after exclusive: where the proof begins
 * @param through inclusive: where it ends
 * @param occurrences how many the trigger names, counted anew
 * @param fired how many of them fired
 * @param missed how many of them are in missed ranges, counted anew
 * @param findings in the order of time
 */
public record Account(
    String scheduleId,
    String revision,
    Instant after,
    Instant through,
    Count occurrences,
    long fired,
    Count missed,
    List<Finding> findings) {}
