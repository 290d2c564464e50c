package io.waterclock.schemas;

import java.util.function.ToIntFunction;
import org.apache.avro.Schema;

/**
 * How records are written: a format, and for {@link WireFormat#AVRO_REGISTRY} the ids of the
 * schemas. Thread-safe if the ids are.
 */
public final class Encoding {
  public static final Encoding AVRO = new Encoding(WireFormat.AVRO, Encoding::none);
  public static final Encoding JSON = new Encoding(WireFormat.JSON, Encoding::none);

  private final WireFormat format;
  private final ToIntFunction<Schema> ids;

  private Encoding(WireFormat format, ToIntFunction<Schema> ids) {
    this.format = format;
    this.ids = ids;
  }

  /**
   * The Confluent wire format.
   *
   * @param ids gives each schema its id, without waiting for anything
   */
  public static Encoding registered(ToIntFunction<Schema> ids) {
    return new Encoding(WireFormat.AVRO_REGISTRY, ids);
  }

  /**
   * A format that needs no ids.
   *
   * @throws IllegalArgumentException for {@link WireFormat#AVRO_REGISTRY}
   */
  public static Encoding of(WireFormat format) {
    return switch (format) {
      case AVRO -> AVRO;
      case JSON -> JSON;
      case AVRO_REGISTRY ->
          throw new IllegalArgumentException(
              "the Confluent wire format needs the ids of schemas: Encoding.registered(...)");
    };
  }

  public WireFormat format() {
    return format;
  }

  /** The media type of what is written. */
  public String contentType() {
    return format.contentType();
  }

  int idOf(Schema schema) {
    return ids.applyAsInt(schema);
  }

  private static int none(Schema schema) {
    throw new IllegalStateException("this format has no ids of schemas");
  }
}
