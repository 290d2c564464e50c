package io.waterclock.schemas;

import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;

/** Writes maps in the order of their keys, so that equal records give equal bytes. Thread-safe. */
final class BodyWriter<T> extends SpecificDatumWriter<T> {
  BodyWriter(Schema schema, SpecificData data) {
    super(schema, data);
  }

  @Override
  @SuppressWarnings("unchecked")
  protected Iterable<Map.Entry<Object, Object>> getMapEntries(Object map) {
    Map<Object, Object> entries = (Map<Object, Object>) map;
    return entries.size() < 2 ? entries.entrySet() : new TreeMap<>(entries).entrySet();
  }
}
