package io.waterclock.schemas;

import io.waterclock.schemas.text.Quoted;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Decides whether reading with a foreign schema has a cost that the bytes of a record bound. Avro
 * compares, hashes and skips by recursion over the schema, and a schema of a few kilobytes can
 * unfold to billions of parts that take no byte in a record.
 *
 * <p>Idea: a <em>stretch</em> is what Avro reads without a choice, from the record itself, or from
 * an item of a list, a value of a map or a branch of a union, up to the next list, map or union. A
 * stretch is a tree of fixed size: it has a number of parts, and a least number of bytes. Lists,
 * maps and unions take a byte for each stretch that follows them, or are counted by {@link
 * BodyDecoder}. So the cost of a record is bounded by its bytes once each stretch has few parts for
 * its bytes. Example: in {@code array<record{int; null; null}>} the stretch of an item has 4 parts
 * and takes at least 1 byte.
 *
 * <p>Costs a visit to each field of each record of the schema. For one schema and one thread.
 */
final class WriterBounds {
  /** How deep records, lists, maps and unions may lie within each other. */
  static final int DEPTH = 100;

  /** How many parts a schema may have, and each of its stretches unfolded. */
  static final int PARTS = 10_000;

  private static final int FREE_PARTS = 100;
  private static final int PARTS_OF_A_BYTE = 20;

  /**
   * @param parts of the unfolded stretch
   * @param bytes that it takes at least
   * @param depth of records within records
   */
  private record Stretch(long parts, long bytes, int depth) {
    Stretch and(Stretch field) {
      return new Stretch(parts + field.parts, bytes + field.bytes, Math.max(depth, field.depth));
    }
  }

  private final Set<Schema> visited = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Schema> unfolding = Collections.newSetFromMap(new IdentityHashMap<>());
  private final IdentityHashMap<Schema, Stretch> stretches = new IdentityHashMap<>();
  private int parts;

  private WriterBounds() {}

  /**
   * @throws UnboundedSchemaException if the schema is beyond the bounds
   */
  static void check(Schema schema) {
    WriterBounds bounds = new WriterBounds();
    bounds.visit(schema, 1);
    bounds.unfold(schema, 1);
  }

  /** Counts the parts that are written down, and looks at each stretch that may be repeated. */
  private void visit(Schema schema, int depth) {
    if (depth > DEPTH) {
      throw tooDeep();
    }
    if (++parts > PARTS) {
      throw new UnboundedSchemaException("it has more than " + PARTS + " parts");
    }
    switch (schema.getType()) {
      case RECORD -> {
        if (visited.add(schema)) {
          schema.getFields().forEach(field -> visit(field.schema(), depth + 1));
        }
      }
      case ARRAY -> visitRepeated(schema.getElementType(), depth + 1);
      case MAP -> visitRepeated(schema.getValueType(), depth + 1);
      case UNION -> schema.getTypes().forEach(branch -> visitRepeated(branch, depth + 1));
      default -> {}
    }
  }

  private void visitRepeated(Schema schema, int depth) {
    visit(schema, depth);
    Stretch stretch = unfold(schema, 1);
    if (stretch.parts() > FREE_PARTS + PARTS_OF_A_BYTE * stretch.bytes()) {
      throw new UnboundedSchemaException(
          "an item of type %s has %s parts, but may take no more than %s bytes"
              .formatted(Quoted.cut(schema.getFullName()), stretch.parts(), stretch.bytes()));
    }
  }

  private Stretch unfold(Schema schema, int depth) {
    return switch (schema.getType()) {
      case RECORD -> unfoldRecord(schema, depth);
      case NULL -> new Stretch(1, 0, 0);
      case FIXED -> new Stretch(1, schema.getFixedSize(), 0);
      case FLOAT -> new Stretch(1, Float.BYTES, 0);
      case DOUBLE -> new Stretch(1, Double.BYTES, 0);
      case ARRAY, MAP, UNION, ENUM, STRING, BYTES, INT, LONG, BOOLEAN -> new Stretch(1, 1, 0);
    };
  }

  private Stretch unfoldRecord(Schema schema, int depth) {
    Stretch known = stretches.get(schema);
    if (known != null) {
      if (depth + known.depth() > DEPTH) {
        throw tooDeep();
      }
      return known;
    }
    if (depth > DEPTH) {
      throw tooDeep();
    }
    if (!unfolding.add(schema)) {
      throw new UnboundedSchemaException(
          Quoted.cut(schema.getFullName()) + " contains itself without an end");
    }
    Stretch whole = new Stretch(1, 0, 0);
    for (Schema.Field field : schema.getFields()) {
      whole = whole.and(unfold(field.schema(), depth + 1));
      if (whole.parts() > PARTS) {
        throw new UnboundedSchemaException(
            Quoted.cut(schema.getFullName()) + " unfolds to more than " + PARTS + " parts");
      }
    }
    unfolding.remove(schema);
    Stretch stretch = new Stretch(whole.parts(), whole.bytes(), whole.depth() + 1);
    stretches.put(schema, stretch);
    return stretch;
  }

  private static UnboundedSchemaException tooDeep() {
    return new UnboundedSchemaException("it is nested more than " + DEPTH + " deep");
  }

  /** The message is the rest of a sentence about the schema. */
  static final class UnboundedSchemaException extends RuntimeException {
    UnboundedSchemaException(String message) {
      super(message);
    }
  }
}
