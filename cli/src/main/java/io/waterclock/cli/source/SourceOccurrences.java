package io.waterclock.cli.source;

import java.time.Instant;
import java.util.Optional;

/** The occurrences of another scheduler, found by its own library. */
@FunctionalInterface
public interface SourceOccurrences {
  /**
   * The first occurrence after an instant.
   *
   * @throws EngineFailure if the library throws
   */
  Optional<Instant> nextAfter(Instant t);
}
