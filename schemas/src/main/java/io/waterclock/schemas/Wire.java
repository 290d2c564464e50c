package io.waterclock.schemas;

/**
 * How records travel.
 *
 * @param encoding how they are written
 * @param schemas the source of the schemas that wrote the records to read
 */
public record Wire(Encoding encoding, SchemaSource schemas) {

  /** Without a registry. The format must not need one. */
  public static Wire of(WireFormat format) {
    return new Wire(Encoding.of(format), SchemaSource.none());
  }
}
