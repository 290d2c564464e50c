package io.waterclock.spring.kafka;

import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Lets records of Waterclock through unchanged, and serializes the application's records as before.
 *
 * @param <T> the type of the application's keys or values
 */
final class RawBytesSerializer<T> implements Serializer<T> {
  private final Serializer<T> delegate;

  /**
   * @param delegate configured
   */
  RawBytesSerializer(Serializer<T> delegate) {
    this.delegate = delegate;
  }

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
