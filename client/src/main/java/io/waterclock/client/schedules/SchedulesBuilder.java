package io.waterclock.client.schedules;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.registry.RegistrySettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.ConfigException;

/** Builds a {@link Schedules}. Not thread-safe. */
public final class SchedulesBuilder {
  private final Map<String, Object> settings = new HashMap<>();
  private Topics topics = Topics.ofDefault();
  private WireFormat format = WireFormat.AVRO;
  private Duration timeout = Duration.ofSeconds(10);

  SchedulesBuilder(String bootstrapServers) {
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
  }

  /**
   * The prefix of the topics, the tenant. {@code waterclock} unless set.
   *
   * @throws InvalidIdException if it is not a valid prefix
   */
  public SchedulesBuilder prefix(String prefix) {
    topics = new Topics(prefix);
    return this;
  }

  /**
   * How long to wait for the scheduler's answer, and for the brokers. 10 s unless set.
   *
   * @throws IllegalArgumentException if it is not above zero
   */
  public SchedulesBuilder timeout(Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("timeout " + time + " must be above zero, such as PT10S");
    }
    timeout = time;
    return this;
  }

  /**
   * The format of written records; Avro without a registry unless set. {@link
   * WireFormat#AVRO_REGISTRY} needs {@code schema.registry.url} among the settings given to {@link
   * #kafka}.
   */
  public SchedulesBuilder format(WireFormat written) {
    format = written;
    return this;
  }

  /**
   * Settings of Kafka's clients, such as {@code security.protocol}, and of a schema registry, named
   * as those of {@code kafka-avro-serializer}: {@code schema.registry.url}, {@code
   * auto.register.schemas} and so on. If the scheduler answers in the registry's format, this
   * client needs the registry too, whatever format it writes.
   */
  public SchedulesBuilder kafka(Map<String, ?> more) {
    settings.putAll(more);
    return this;
  }

  /**
   * Connects to nothing yet.
   *
   * @throws IllegalArgumentException if settings of the registry are wrong; the message names all
   *     of them
   */
  public Schedules build() {
    Optional<RegistrySettings> registry;
    try {
      registry = RegistrySettings.among(settings);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (format == WireFormat.AVRO_REGISTRY && registry.isEmpty()) {
      throw new IllegalArgumentException(
          "the format AVRO_REGISTRY needs a schema registry: set schema.registry.url, for example"
              + " http://127.0.0.1:8081");
    }
    Map<String, Object> ofKafka = new HashMap<>(settings);
    ofKafka.keySet().removeAll(RegistrySettings.KEYS);
    return new Schedules(new Connection(ofKafka, topics, format, registry, timeout));
  }
}
