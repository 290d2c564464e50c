package io.waterclock.schemas;

/** How a record is written. Reading detects it from the first bytes. */
public enum WireFormat {
  /**
   * Avro single-object encoding (Avro specification): {@code C3 01}, the schema's fingerprint, the
   * body.
   */
  AVRO("application/avro"),
  /** The friendly JSON form, in UTF-8. */
  JSON("application/json");

  private final String contentType;

  WireFormat(String contentType) {
    this.contentType = contentType;
  }

  /** The media type of what is written in this format. */
  public String contentType() {
    return contentType;
  }
}
