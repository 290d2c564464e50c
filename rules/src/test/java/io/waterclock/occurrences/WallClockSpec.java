package io.waterclock.occurrences;

import java.time.LocalDate;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What an expression means, in sets: the model that {@link Reference} searches.
 *
 * @param interval whether its second, minute or hour field begins with a star
 */
record WallClockSpec(
    Set<Integer> seconds,
    Set<Integer> minutes,
    Set<Integer> hours,
    Predicate<LocalDate> days,
    boolean interval) {}
