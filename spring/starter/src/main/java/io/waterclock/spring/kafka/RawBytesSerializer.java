package io.waterclock.spring.kafka;

import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Lets records of Waterclock through unchanged, and serializes the application's records as before.
 *
 * @param <T> the type of the application's keys or values
 * @param delegate configured
 */
record RawBytesSerializer<T>(Serializer<T> delegate) implements Serializer<T> {
  /** A key or value that is serialized already. Never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  record RawBytes(byte[] bytes) {}

  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {}

  @Override
  public byte @Nullable [] serialize(String topic, @Nullable T data) {
    return data instanceof RawBytes raw ? raw.bytes() : delegate.serialize(topic, data);
  }

  @Override
  public byte @Nullable [] serialize(String topic, Headers headers, @Nullable T data) {
    return data instanceof RawBytes raw ? raw.bytes() : delegate.serialize(topic, headers, data);
  }

  @Override
  public void close() {
    delegate.close();
  }
}
