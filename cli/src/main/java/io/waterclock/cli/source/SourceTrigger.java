package io.waterclock.cli.source;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * How another scheduler finds its occurrences.
 *
 * @param engine the library that finds them there
 */
public record SourceTrigger(SourceEngine engine, SourceEngine.Rule rule) {

  /** Without a start and an end. */
  public SourceTrigger(SourceEngine engine, String text, ZoneId zone) {
    this(engine, new SourceEngine.Rule(text, zone, Optional.empty(), Optional.empty()));
  }

  SourceTrigger between(Optional<Instant> start, Optional<Instant> end) {
    return new SourceTrigger(engine, new SourceEngine.Rule(rule.text(), rule.zone(), start, end));
  }

  /**
   * The occurrences by the library.
   *
   * @throws EngineFailure if the library is missing or refuses the text
   */
  public SourceOccurrences occurrences(ClassLoader loader) {
    return engine.occurrences(rule, loader);
  }
}
