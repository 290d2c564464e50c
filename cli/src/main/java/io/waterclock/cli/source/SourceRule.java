package io.waterclock.cli.source;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * What an engine gets.
 *
 * @param text in the form that the engine reads
 * @param zone of the wall clock that it reads
 * @param start as the other scheduler has it
 * @param end as the other scheduler has it: the engine decides whether it is an occurrence
 */
public record SourceRule(
    String text, ZoneId zone, Optional<Instant> start, Optional<Instant> end) {}
