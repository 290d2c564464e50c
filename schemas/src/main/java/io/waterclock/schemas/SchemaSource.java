package io.waterclock.schemas;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.Schema;

/** The source of the schemas that wrote records in the Confluent wire format. */
@FunctionalInterface
public interface SchemaSource {

  /** How often {@link #waiting} asks. */
  Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  /** The result of a lookup. */
  sealed interface Lookup {
    /** The writer's schema. */
    record Known(Schema schema) implements Lookup {}

    /**
     * Records with this id cannot be read.
     *
     * @param why the rest of a sentence about the record that begins with "it is"
     */
    record Refused(UndecodableException.Reason reason, String why) implements Lookup {}

    /**
     * The schema is not known now, but may be later.
     *
     * @param why for people
     */
    record Unavailable(String why) implements Lookup {}
  }

  /**
   * Finds a schema. Implementations say whether this waits for a registry.
   *
   * @param id as in the record, read as a signed number
   */
  Lookup lookup(int id);

  /**
   * Waits for the answer of this source, which does not wait. For callers that may block.
   * Thread-safe if this is.
   *
   * @param patience how long a lookup may take, about
   */
  default SchemaSource waiting(Duration patience) {
    return id -> {
      Lookup latest = lookup(id);
      for (long looks = patience.dividedBy(BETWEEN_LOOKS);
          latest instanceof Lookup.Unavailable
              && looks > 0
              && !Thread.currentThread().isInterrupted();
          looks--) {
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        latest = lookup(id);
      }
      return latest;
    };
  }

  /** Where there is no registry to ask: every schema is refused. */
  static SchemaSource none() {
    return id ->
        new Lookup.Refused(
            UndecodableException.Reason.NO_REGISTRY,
            "Confluent wire format (schema id "
                + Integer.toUnsignedString(id)
                + "), and no registry is configured to ask for the schema: set"
                + " schema.registry.url");
  }
}
