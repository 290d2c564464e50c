package io.waterclock.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.schemas.UndecodableException.Reason;
import io.waterclock.schemas.avro.RecordBodies;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.JsonText;
import io.waterclock.schemas.json.Reading;
import io.waterclock.schemas.json.RecordForm;
import io.waterclock.schemas.json.RecordForms;
import io.waterclock.schemas.text.Quoted;
import io.waterclock.schemas.text.SafeText;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;

/**
 * Turns one type of record into bytes and back. Reading detects the format by the first bytes; Avro
 * of every published version of the schema is read, and in the Confluent wire format Avro of every
 * schema that Avro's schema resolution can turn into ours.
 *
 * <p>Thread-safe. Nothing is looked up by reflection after construction. Instants are cut to
 * milliseconds, which is what the schemas hold.
 *
 * @param <T> the record
 */
public final class RecordCodec<T extends SpecificRecordBase> {
  private static final byte[] NO_HEADER = {};

  /** The text null, with some space around it. */
  private static final int LONGEST_NULL = 16;

  private final Schema schema;
  private final byte[] header;
  private final RecordBodies.Write<T> writer;
  private final RecordBodies.Read<T> reader;
  private final Map<Long, RecordBodies.Read<T>> readers = new LinkedHashMap<>();
  private final WriterSchemas<T> writers;
  private final RecordForm form;
  private final Class<T> type;

  /**
   * @param publishedSchemas every schema with which such a record may have been written
   * @param reader of what was written with the current schema
   */
  RecordCodec(
      Class<T> type,
      List<Schema> publishedSchemas,
      RecordBodies.Read<T> reader,
      RecordBodies.Write<T> writer) {
    SpecificData data = SpecificData.getForClass(type);
    this.type = type;
    this.schema = data.getSchema(type);
    this.header = SingleObject.header(schema);
    this.writer = writer;
    this.reader = reader;
    this.writers = new WriterSchemas<>(schema, data, reader);
    for (Schema published : publishedSchemas) {
      readers.put(SingleObject.fingerprint(published), writers.reader(published));
    }
    readers.put(SingleObject.fingerprint(schema), reader);
    this.form = RecordForms.of(schema);
  }

  static <T extends SpecificRecordBase> RecordCodec<T> of(
      Class<T> type, RecordBodies.Read<T> reader, RecordBodies.Write<T> writer) {
    return new RecordCodec<>(type, PublishedSchemas.of(type.getSimpleName()), reader, writer);
  }

  /** The current schema of the record. */
  public Schema schema() {
    return schema;
  }

  /**
   * Writes a record in a format that needs no registry.
   *
   * @throws RuntimeException if a field that the schema requires is null, or the format needs one:
   *     a fault of the caller
   */
  public byte[] encode(T record, WireFormat format) {
    return encode(record, Encoding.of(format));
  }

  /**
   * Writes a record.
   *
   * @throws RuntimeException if a field that the schema requires is null: a fault of the caller
   */
  public byte[] encode(T record, Encoding encoding) {
    if (encoding.format() == WireFormat.JSON) {
      return JsonText.bytes(toJson(record));
    }
    BodyEncoder to = BodyEncoder.ofThread(header(encoding));
    return write(record, to, new RecordBodies(to));
  }

  /** Writes a record in Avro, with an encoded definition in place of its own. */
  byte[] encode(T record, Encoding encoding, byte[] definition) {
    BodyEncoder to = BodyEncoder.ofThread(header(encoding));
    RecordBodies around =
        new RecordBodies(to) {
          @Override
          public void write(Schedule itsOwn) {
            to.writeFixed(definition, 0, definition.length);
          }
        };
    return write(record, to, around);
  }

  /**
   * Reads a record in any format that needs no registry.
   *
   * @throws UndecodableException if the bytes are no such record
   */
  public T decode(byte[] bytes) {
    return decode(bytes, SchemaSource.none());
  }

  /**
   * Reads a record in any format.
   *
   * @param schemas asked for the writer's schema of a record in the Confluent wire format
   * @throws UndecodableException if the bytes are no such record
   * @throws SchemaUnavailableException if the writer's schema is not available now
   */
  public T decode(byte[] bytes, SchemaSource schemas) {
    return switch (WireFormat.detect(bytes).orElseThrow(() -> unknownFormat(bytes))) {
      case AVRO -> decodeSingleObject(bytes);
      case AVRO_REGISTRY -> decodeRegistered(bytes, schemas);
      case JSON -> decodeJson(bytes);
    };
  }

  /**
   * Reads a value in any format; empty for a tombstone (null), and for bytes that are no such
   * record.
   *
   * @throws SchemaUnavailableException if the writer's schema is not available now
   */
  public Optional<T> readable(byte @Nullable [] value, SchemaSource schemas) {
    try {
      return Optional.ofNullable(value).map(bytes -> decode(bytes, schemas));
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }

  /**
   * Writes the bare Avro body, without a header: for state stores and for comparing. Equal records
   * give equal bytes.
   *
   * @throws RuntimeException if a field that the schema requires is null: a fault of the caller
   */
  public byte[] encodeBody(T record) {
    BodyEncoder to = BodyEncoder.ofThread(NO_HEADER);
    return write(record, to, new RecordBodies(to));
  }

  /**
   * Reads a bare Avro body, written with the current schema.
   *
   * @throws UndecodableException if the slice is not exactly one such record
   */
  public T decodeBody(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return read(reader, bytes, offset, length);
  }

  /** The friendly JSON form as a tree. */
  public JsonNode toJson(T record) {
    return form.write(record);
  }

  /**
   * A serde that writes this format and reads all that need no registry. Null, a tombstone, stays
   * null.
   */
  public Serde<T> serde(WireFormat format) {
    return serde(Encoding.of(format), SchemaSource.none());
  }

  /** A serde that writes in this way and reads all formats. Null, a tombstone, stays null. */
  public Serde<T> serde(Encoding encoding, SchemaSource schemas) {
    return Serdes.serdeFrom(
        (topic, record) -> record == null ? null : encode(record, encoding),
        (topic, bytes) -> bytes == null ? null : decode(bytes, schemas));
  }

  /** The bytes before the body. */
  byte[] header(Encoding encoding) {
    return encoding.format() == WireFormat.AVRO_REGISTRY
        ? ConfluentHeader.of(encoding.idOf(schema))
        : header;
  }

  private byte[] write(T record, BodyEncoder encoder, RecordBodies fields) {
    try {
      writer.write(fields, record);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return encoder.toByteArray();
  }

  private UndecodableException unknownFormat(byte[] bytes) {
    if (bytes.length == 0) {
      return undecodable(
          Reason.EMPTY,
          "it is empty; a record that deletes has a null value (kcat -Z), not an empty one",
          bytes);
    }
    if (bytes.length <= LONGEST_NULL && new String(bytes, UTF_8).strip().equals("null")) {
      return undecodable(
          Reason.EMPTY,
          "it is the text null; a record that deletes has a null value (kcat -Z), not the JSON text",
          bytes);
    }
    return undecodable(
        Reason.UNKNOWN_FORMAT,
        "the first bytes are neither single-object Avro (c3 01) nor JSON ({) nor the Confluent wire"
            + " format (00)",
        bytes);
  }

  private T decodeSingleObject(byte[] bytes) {
    if (bytes.length < SingleObject.HEADER) {
      throw undecodable(Reason.MALFORMED, "its single-object Avro header is cut short", bytes);
    }
    long fingerprint = SingleObject.fingerprintAt(bytes);
    RecordBodies.Read<T> known = readers.get(fingerprint);
    if (known == null) {
      throw undecodable(
          Reason.NEWER_VERSION,
          String.format(
              "it is single-object Avro with the schema fingerprint %016x, which is no version of"
                  + " %s that this release knows",
              fingerprint, schema.getName()),
          bytes);
    }
    return read(known, bytes, SingleObject.HEADER, bytes.length - SingleObject.HEADER);
  }

  private T decodeRegistered(byte[] bytes, SchemaSource schemas) {
    int id =
        ConfluentHeader.schemaId(bytes)
            .orElseThrow(
                () ->
                    undecodable(
                        Reason.MALFORMED,
                        "it begins like the Confluent wire format, but is too short for a schema"
                            + " id",
                        bytes));
    SchemaSource.Lookup lookup = schemas.lookup(id);
    if (lookup instanceof SchemaSource.Lookup.Known known) {
      return read(known.schema(), id, bytes);
    }
    if (lookup instanceof SchemaSource.Lookup.Refused refused) {
      throw undecodable(refused.reason(), "it is " + refused.why(), bytes);
    }
    throw new SchemaUnavailableException(id, ((SchemaSource.Lookup.Unavailable) lookup).why());
  }

  /** A foreign schema may nest without limit, and so may data written with it. */
  private T read(Schema writer, int id, byte[] bytes) {
    try {
      WriterSchemas.Resolved<T> resolved = writers.resolve(writer);
      RecordBodies.Read<T> known =
          resolved.reader().orElseThrow(() -> incompatible(writer, id, resolved.why(), bytes));
      return read(known, bytes, ConfluentHeader.LENGTH, bytes.length - ConfluentHeader.LENGTH);
    } catch (StackOverflowError e) {
      throw undecodable(Reason.MALFORMED, "its Avro body is nested too deeply", bytes);
    }
  }

  private UndecodableException incompatible(Schema writer, int id, String why, byte[] bytes) {
    String name = Quoted.cut(writer.getFullName());
    return undecodable(
        Reason.INCOMPATIBLE_SCHEMA,
        "it was written with schema %s of the registry (%s), which cannot be read as %s: %s"
            .formatted(Integer.toUnsignedString(id), name, schema.getFullName(), why),
        bytes);
  }

  /**
   * Avro throws various exceptions for invalid bytes: index, cast and type errors. All mean that
   * the body is malformed.
   */
  private T read(RecordBodies.Read<T> from, byte[] bytes, int offset, int length) {
    BodyDecoder decoder = new BodyDecoder(bytes, offset, length);
    T record;
    try {
      record = from.read(decoder);
    } catch (IOException | RuntimeException e) {
      throw undecodable(
          Reason.MALFORMED,
          "its Avro body is broken: " + SafeText.line(String.valueOf(e.getMessage())),
          bytes);
    }
    if (decoder.remaining() > 0) {
      throw undecodable(
          Reason.MALFORMED, decoder.remaining() + " bytes follow its Avro body", bytes);
    }
    return record;
  }

  private T decodeJson(byte[] bytes) {
    Reading reading = Reading.start(ZoneOffset.UTC);
    Optional<T> record =
        JsonText.parse(bytes, reading).flatMap(tree -> form.read(tree, reading)).map(type::cast);
    return record
        .filter(read -> reading.problems().isEmpty())
        .orElseThrow(
            () ->
                UndecodableException.of(
                    reading.isOfNewerVersion() ? Reason.NEWER_VERSION : Reason.MALFORMED,
                    schema.getName(),
                    reading.problems()));
  }

  private UndecodableException undecodable(Reason reason, String what, byte[] bytes) {
    return UndecodableException.of(reason, schema.getName(), what, bytes);
  }
}
