package io.waterclock.schemas;

/** How a record is written. Reading detects it from the first bytes. */
public enum WireFormat {
  /**
   * Avro single-object encoding (Avro specification): {@code C3 01}, the schema's fingerprint, the
   * body.
   */
  AVRO,
  /** The friendly JSON form, in UTF-8. */
  JSON
}
