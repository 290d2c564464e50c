package io.waterclock.schemas;

/**
 * How records travel.
 *
 * @param encoding how they are written
 * @param schemas where the schemas are with which others wrote what is read
 */
public record Wire(Encoding encoding, SchemaSource schemas) {

  /** Without a registry; a format that needs one is a fault of the caller. */
  public static Wire of(WireFormat format) {
    return new Wire(Encoding.of(format), SchemaSource.none());
  }
}
