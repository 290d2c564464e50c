package io.waterclock.cli.source;

import java.time.ZoneId;

/**
 * How another scheduler finds its occurrences.
 *
 * @param engine the library that finds them there
 * @param text in the form that the library reads
 * @param zone of the wall clock that it reads
 */
public record SourceTrigger(SourceEngine engine, String text, ZoneId zone) {
  /**
   * The occurrences by the library.
   *
   * @param loader of the library
   * @throws EngineFailure if the library is missing or refuses the text
   */
  public SourceOccurrences occurrences(ClassLoader loader) {
    return engine.occurrences(text, zone, loader);
  }
}
