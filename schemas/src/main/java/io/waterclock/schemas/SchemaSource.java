package io.waterclock.schemas;

import org.apache.avro.Schema;

/** Where the schemas are with which records in the Confluent wire format were written. */
@FunctionalInterface
public interface SchemaSource {

  /** What is known of a schema. */
  sealed interface Lookup {
    /** The writer's schema. */
    record Known(Schema schema) implements Lookup {}

    /**
     * What was written under this id cannot be read.
     *
     * @param why the rest of a sentence about the record that begins with "it is"
     */
    record Refused(UndecodableException.Reason reason, String why) implements Lookup {}

    /**
     * It cannot be told now, but may be later.
     *
     * @param why for people
     */
    record Unavailable(String why) implements Lookup {}
  }

  /**
   * Finds a schema. Implementations say whether this waits for a registry.
   *
   * @param id as it stands in the record, read as a signed number
   */
  Lookup lookup(int id);

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
