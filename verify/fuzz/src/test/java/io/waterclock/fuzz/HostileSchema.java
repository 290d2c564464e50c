package io.waterclock.fuzz;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;

/**
 * A writer's schema that is a record of ours with changes: fields left out, put elsewhere or made
 * unions, and fields that we do not have, of every type, recursive and huge ones among them. Each
 * change takes a byte, so that a fuzzer that changes a byte changes one field.
 */
public final class HostileSchema {
  private static final int DEEPEST = 6;
  private final byte[] changes;
  private final List<Schema> named = new ArrayList<>();
  private int at;

  public HostileSchema(byte[] changes) {
    this.changes = changes.clone();
  }

  /** A schema for a record of this type, read from its text, as registries send it. */
  public Schema of(Schema ours) {
    Schema writer = Schema.createRecord(ours.getName(), null, ours.getNamespace(), false);
    named.add(writer);
    List<Schema.Field> fields = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Schema.Field field : ours.getFields()) {
      switch (next() % 8) {
        case 1 -> {} // left out: ours has a default, or it cannot be read
        case 2 -> add(fields, names, field.name(), changed(field.schema()));
        case 3 -> {
          add(fields, names, "x" + fields.size(), any(0));
          add(fields, names, field.name(), field.schema());
        }
        case 4 -> add(fields, names, field.name(), any(0));
        default -> add(fields, names, field.name(), field.schema());
      }
    }
    writer.setFields(fields);
    Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION);
    parser.setValidateDefaults(false);
    return parser.parse(SchemaFormatter.format("json", writer));
  }

  private static void add(List<Schema.Field> fields, Set<String> names, String name, Schema type) {
    if (names.add(name)) {
      fields.add(new Schema.Field(name, type));
    }
  }

  private Schema changed(Schema type) {
    return switch (type.getType()) {
      case UNION -> {
        List<Schema> branches = new ArrayList<>(type.getTypes());
        Collections.reverse(branches);
        yield Schema.createUnion(branches);
      }
      case LONG -> Schema.create(Schema.Type.INT);
      case STRING -> Schema.create(Schema.Type.BYTES);
      case BYTES -> Schema.create(Schema.Type.STRING);
      default -> Schema.createUnion(List.of(type));
    };
  }

  private Schema any(int depth) {
    int kind = depth > DEEPEST ? next() % 8 : next() % 15;
    return switch (kind) {
      case 0 -> Schema.create(Schema.Type.NULL);
      case 1 -> Schema.create(Schema.Type.BOOLEAN);
      case 2 -> Schema.create(Schema.Type.INT);
      case 3 -> LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
      case 4 -> Schema.create(Schema.Type.DOUBLE);
      case 5 -> LogicalTypes.decimal(1 + next() % 40).addToSchema(Schema.create(Schema.Type.BYTES));
      case 6 -> Schema.create(Schema.Type.STRING);
      case 7 -> named.get(next() % named.size());
      case 8 -> Schema.createArray(any(depth + 1));
      case 9 -> Schema.createMap(any(depth + 1));
      case 10 -> union(depth);
      case 11 -> known(Schema.createFixed("n.F" + at, null, null, next() << (next() % 24)));
      case 12 -> known(Schema.createEnum("n.E" + at, null, null, List.of("A", "B")));
      default -> record(depth);
    };
  }

  private Schema union(int depth) {
    List<Schema> branches = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = next() % 5; i >= 0; i--) {
      Schema branch = any(depth + 1);
      if (branch.getType() != Schema.Type.UNION && names.add(branch.getFullName())) {
        branches.add(branch);
      }
    }
    return Schema.createUnion(branches);
  }

  private Schema record(int depth) {
    Schema record = known(Schema.createRecord("n.R" + at, null, null, false));
    List<Schema.Field> fields = new ArrayList<>();
    for (int i = next() % 6; i >= 0; i--) {
      fields.add(new Schema.Field("f" + i, any(depth + 1)));
    }
    record.setFields(fields);
    return record;
  }

  private Schema known(Schema schema) {
    named.add(schema);
    return schema;
  }

  private int next() {
    return at < changes.length ? changes[at++] & 0x7f : 0;
  }
}
