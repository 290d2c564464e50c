package io.waterclock.testkit;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * A schema registry that a test makes available or unavailable. While it is unavailable the
 * scheduler knows no schema, as after a restart. Not thread-safe.
 */
public final class SimulatedRegistry implements SchemaSource {
  private final List<Schema> schemas = new ArrayList<>();
  private boolean away;

  /** The registry does not answer from now on. */
  public void goAway() {
    away = true;
  }

  /** The registry answers again. */
  public void comeBack() {
    away = false;
  }

  public boolean isAway() {
    return away;
  }

  /** The id of a schema; the first is 1. Producers know ids even while the registry is away. */
  public int idOf(Schema schema) {
    int known = schemas.indexOf(schema);
    if (known >= 0) {
      return known + 1;
    }
    schemas.add(schema);
    return schemas.size();
  }

  /** Writes records in the Confluent wire format with the ids of this registry. */
  public Encoding encoding() {
    return Encoding.registered(this::idOf);
  }

  @Override
  public Lookup lookup(int id) {
    if (away) {
      return new Lookup.Unavailable("the registry is away");
    }
    return id >= 1 && id <= schemas.size()
        ? new Lookup.Known(schemas.get(id - 1))
        : new Lookup.Refused(
            UndecodableException.Reason.UNKNOWN_SCHEMA,
            "Confluent wire format with the schema id "
                + id
                + ", which the registry does not know");
  }
}
