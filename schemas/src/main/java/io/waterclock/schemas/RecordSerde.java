package io.waterclock.schemas;

import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** A codec as Kafka wants it. */
record RecordSerde<T extends SpecificRecordBase>(
    RecordCodec<T> codec, Encoding encoding, SchemaSource schemas) implements Serde<T> {
  @Override
  public Serializer<T> serializer() {
    return this::serialize;
  }

  @Override
  public Deserializer<T> deserializer() {
    return this::deserialize;
  }

  private byte @Nullable [] serialize(String topic, @Nullable T record) {
    return record == null ? null : codec.encode(record, encoding);
  }

  private @Nullable T deserialize(String topic, byte @Nullable [] bytes) {
    return bytes == null ? null : codec.decode(bytes, schemas);
  }
}
