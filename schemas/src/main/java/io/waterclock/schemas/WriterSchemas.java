package io.waterclock.schemas;

import io.waterclock.schemas.avro.RecordBodies;
import io.waterclock.schemas.text.SafeText;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaPairCompatibility;
import org.apache.avro.io.DatumReader;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;

/**
 * Readers of one type of record for foreign writer schemas, by the rules of Avro's schema
 * resolution. A schema beyond {@link WriterBounds} is unfit. Each schema gets one reader; at most
 * {@value #MOST} are kept. Thread-safe.
 */
final class WriterSchemas<T> {
  private static final int MOST = 1_000;
  private static final int MOST_REASONS = 5;
  private static final int LONGEST_REASON = 500;
  private static final Pattern FIELD = Pattern.compile("/fields/(\\d+)");

  /** The reader for a writer's schema, or why there is none. */
  record Resolved<T>(Optional<RecordBodies.Read<T>> reader, String why) {}

  private final Schema ours;
  private final SpecificData data;
  private final RecordBodies.Read<T> reader;

  /** By identity: a schema hashes by recursion, which is not safe before its bounds are checked. */
  private final Map<Schema, Resolved<T>> resolved =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /**
   * @param reader of what was written with our schema
   */
  WriterSchemas(Schema ours, SpecificData data, RecordBodies.Read<T> reader) {
    this.ours = ours;
    this.data = data;
    this.reader = reader;
  }

  Resolved<T> resolve(Schema writer) {
    Resolved<T> known = resolved.get(writer);
    if (known != null) {
      return known;
    }
    if (resolved.size() >= MOST) {
      resolved.clear();
    }
    Resolved<T> fresh = compare(writer);
    resolved.put(writer, fresh);
    return fresh;
  }

  /** A reader of what was written with a schema that resolves to ours. */
  RecordBodies.Read<T> reader(Schema writer) {
    DatumReader<T> resolving = new SpecificDatumReader<>(writer, ours, data);
    return from -> resolving.read(null, from);
  }

  private Resolved<T> compare(Schema writer) {
    try {
      WriterBounds.check(writer);
      return compareBounded(writer);
    } catch (WriterBounds.UnboundedSchemaException | AvroRuntimeException e) {
      return new Resolved<>(Optional.empty(), cut(String.valueOf(e.getMessage())));
    }
  }

  private Resolved<T> compareBounded(Schema writer) {
    if (writer.equals(ours)) {
      return new Resolved<>(Optional.of(reader), "");
    }
    SchemaPairCompatibility pair = SchemaCompatibility.checkReaderWriterCompatibility(ours, writer);
    if (pair.getType() == SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE) {
      return new Resolved<>(Optional.of(reader(writer)), "");
    }
    return new Resolved<>(
        Optional.empty(),
        pair.getResult().getIncompatibilities().stream()
            .limit(MOST_REASONS)
            .map(
                found ->
                    "%s: %s (%s)"
                        .formatted(
                            field(found.getLocation()), cut(found.getMessage()), found.getType()))
            .collect(Collectors.joining("; ")));
  }

  /** Avro quotes whole schemas, and names of others as they are. */
  private static String cut(String reason) {
    return SafeText.cut(SafeText.line(reason), LONGEST_REASON);
  }

  /**
   * The field of ours that a place belongs to.
   *
   * @param location in Avro's notation: {@code /fields/6/type}
   */
  private String field(String location) {
    Matcher place = FIELD.matcher(location);
    return place.lookingAt()
        ? ours.getFields().get(Integer.parseInt(place.group(1))).name()
        : location;
  }
}
