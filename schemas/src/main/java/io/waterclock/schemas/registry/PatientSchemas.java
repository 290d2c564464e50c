package io.waterclock.schemas.registry;

import io.waterclock.schemas.SchemaSource;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for the answer of a source that does not wait. For callers that may block. Thread-safe if
 * the source is.
 *
 * @param patience how long a lookup may take, about
 */
public record PatientSchemas(SchemaSource source, Duration patience) implements SchemaSource {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  @Override
  public Lookup lookup(int id) {
    Lookup latest = source.lookup(id);
    for (long looks = patience.dividedBy(BETWEEN_LOOKS);
        latest instanceof Lookup.Unavailable
            && looks > 0
            && !Thread.currentThread().isInterrupted();
        looks--) {
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      latest = source.lookup(id);
    }
    return latest;
  }
}
