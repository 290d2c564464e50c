package io.waterclock.schemas;

import io.waterclock.schemas.json.JsonText;
import java.util.Optional;

/** How a record is written. Reading detects it from the first bytes. */
public enum WireFormat {
  /**
   * Avro single-object encoding (Avro specification): {@code C3 01}, the schema's fingerprint, the
   * body.
   */
  AVRO("application/avro"),
  /**
   * Avro in the Confluent wire format: {@code 00}, the id that a schema registry gave the schema,
   * the body.
   */
  AVRO_REGISTRY("application/avro"),
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

  /** The format that the first bytes indicate, if any. Only a codec checks the rest. */
  public static Optional<WireFormat> detect(byte[] bytes) {
    if (SingleObject.isAt(bytes)) {
      return Optional.of(AVRO);
    }
    if (ConfluentHeader.isAt(bytes)) {
      return Optional.of(AVRO_REGISTRY);
    }
    return JsonText.isAt(bytes) ? Optional.of(JSON) : Optional.empty();
  }
}
