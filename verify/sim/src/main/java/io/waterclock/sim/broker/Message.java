package io.waterclock.sim.broker;

import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A record to be appended. Never compared.
 *
 * @param value null for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent")
public record Message(byte[] key, byte @Nullable [] value, Headers headers, long timestampMs) {

  public static Message of(byte[] key, Optional<byte[]> value, long timestampMs) {
    return new Message(key, value.orElse(null), new RecordHeaders(), timestampMs);
  }
}
