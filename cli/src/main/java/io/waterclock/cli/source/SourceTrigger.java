package io.waterclock.cli.source;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * How another scheduler finds its occurrences.
 *
 * @param engine the library that finds them there
 * @param text in the form that the library reads
 * @param zone of the wall clock that it reads
 * @param start as the other scheduler has it
 * @param end as the other scheduler has it: the engine decides whether it is an occurrence
 */
public record SourceTrigger(
    SourceEngine engine, String text, ZoneId zone, Optional<Instant> start, Optional<Instant> end) {

  /** Without a start and an end. */
  public SourceTrigger(SourceEngine engine, String text, ZoneId zone) {
    this(engine, text, zone, Optional.empty(), Optional.empty());
  }

  SourceTrigger between(Optional<Instant> from, Optional<Instant> until) {
    return new SourceTrigger(engine, text, zone, from, until);
  }

  /**
   * The occurrences by the library.
   *
   * @param loader of the library
   * @throws EngineFailure if the library is missing or refuses the text
   */
  public SourceOccurrences occurrences(ClassLoader loader) {
    return engine.occurrences(new SourceRule(text, zone, start, end), loader);
  }
}
