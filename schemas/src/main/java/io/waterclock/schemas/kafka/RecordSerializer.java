package io.waterclock.schemas.kafka;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.registry.SchemaRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * A {@code value.serializer} for one type of Waterclock's records. Null, a tombstone, stays null.
 *
 * <p>The setting {@value #FORMAT} chooses the format: {@code avro} (the default), {@code json} or
 * {@code avro-registry}, Confluent's, which needs {@code schema.registry.url} and waits up to 30 s
 * for the registry when a topic gets its first record. Thread-safe after {@link #configure}.
 *
 * @param <T> the type
 */
abstract class RecordSerializer<T extends SpecificRecordBase> implements Serializer<T> {
  /** The setting of the format to write. */
  public static final String FORMAT = "waterclock.format";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RecordCodec<T> codec;
  private final Map<String, Encoding> registered = new ConcurrentHashMap<>();
  private Encoding encoding = Encoding.AVRO;
  private Optional<SchemaRegistry> registry = Optional.empty();

  RecordSerializer(RecordCodec<T> codec) {
    this.codec = codec;
  }

  /**
   * @throws ConfigException for keys, and for a setting that is wrong
   */
  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {
    requireValue(getClass(), isKey);
    WireFormat format = format(Objects.toString(settings.get(FORMAT), "avro"));
    if (format != WireFormat.AVRO_REGISTRY) {
      encoding = Encoding.of(format);
      return;
    }
    RegistrySettings found =
        RegistrySettings.among(settings)
            .orElseThrow(
                () -> new ConfigException(FORMAT + "=avro-registry needs " + RegistrySettings.URL));
    registry = Optional.of(new SchemaRegistry(found));
  }

  static void requireValue(Class<?> type, boolean isKey) {
    if (isKey) {
      throw new ConfigException(
          type.getSimpleName() + " is for values; keys of Waterclock's records are UTF-8 text");
    }
  }

  private static WireFormat format(String text) {
    try {
      return WireFormat.valueOf(text.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(FORMAT, text, "avro, avro-registry or json is right");
    }
  }

  /**
   * @throws SerializationException if the record lacks a field that its schema requires, or the
   *     registry has no id for the schema
   */
  @Override
  public byte @Nullable [] serialize(String topic, @Nullable T value) {
    if (value == null) {
      return null;
    }
    Encoding used =
        registry
            .map(asked -> registered.computeIfAbsent(topic, to -> register(asked, to)))
            .orElse(encoding);
    try {
      return codec.encode(value, used);
    } catch (RuntimeException e) {
      throw new SerializationException("the record is incomplete: " + e.getMessage(), e);
    }
  }

  private Encoding register(SchemaRegistry asked, String topic) {
    var registration = asked.register(Map.of(topic, codec.schema()));
    try {
      registration.done().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return registration.encoding();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SerializationException("interrupted while the schema registry was asked", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new SerializationException(
          asked.problem().orElse("the schema registry gives no id for the schema"), e);
    }
  }

  @Override
  public void close() {
    registry.ifPresent(SchemaRegistry::close);
  }
}
