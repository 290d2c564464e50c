package io.waterclock.schemas.kafka;

import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.registry.RegistryClient;
import io.waterclock.schemas.registry.RegistrySettings;
import java.time.Duration;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A {@code value.deserializer} for one type of Waterclock's records. It reads every format, as the
 * first bytes show it; for Confluent's it needs {@code schema.registry.url}. Null, a tombstone,
 * stays null. Thread-safe after {@link #configure}; a schema that it does not know yet costs a
 * request to the registry.
 *
 * @param <T> the type
 */
abstract class RecordDeserializer<T extends SpecificRecordBase> implements Deserializer<T> {
  /** How long a registry that is away is not asked again. */
  private static final Duration QUIET = Duration.ofSeconds(1);

  private final RecordCodec<T> codec;
  private SchemaSource schemas = SchemaSource.none();

  RecordDeserializer(RecordCodec<T> codec) {
    this.codec = codec;
  }

  /**
   * @throws ConfigException for keys, and for a setting that is wrong
   */
  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {
    RecordSerializer.requireValue(getClass(), isKey);
    RegistrySettings.among(settings)
        .ifPresent(found -> schemas = new RegistryClient(found).kept(QUIET));
  }

  /**
   * @throws UndecodableException if the bytes are no such record
   * @throws SchemaUnavailableException if the registry does not answer; the same bytes may be read
   *     later
   */
  @Override
  public @Nullable T deserialize(String topic, byte @Nullable [] bytes) {
    return bytes == null ? null : codec.decode(bytes, schemas);
  }
}
