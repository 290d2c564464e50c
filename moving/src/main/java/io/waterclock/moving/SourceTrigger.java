package io.waterclock.moving;

import java.time.ZoneId;

/**
 * How another scheduler finds its occurrences.
 *
 * @param engine the library that finds them there
 * @param text in the form that the library reads
 * @param zone of the wall clock that it reads
 */
public record SourceTrigger(SourceEngine engine, String text, ZoneId zone) {}
