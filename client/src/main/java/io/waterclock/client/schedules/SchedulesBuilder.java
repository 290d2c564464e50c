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

/** Says how a {@link Schedules} reaches the scheduler. Not thread-safe. */
public final class SchedulesBuilder {
  private final Map<String, Object> settings = new HashMap<>();
  private Topics topics = Topics.ofDefault();
  private WireFormat format = WireFormat.AVRO;
  private Duration timeout = Duration.ofSeconds(10);

  SchedulesBuilder(String bootstrapServers) {
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
  }

  /**
   * The prefix of the topics, the tenant. {@code waterclock} unless told.
   *
   * @throws InvalidIdException if it cannot be one
   */
  public SchedulesBuilder prefix(String prefix) {
    topics = new Topics(prefix);
    return this;
  }

  /**
   * How long to wait for the scheduler's answer, and for the brokers. 10 s unless told.
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
   * How records are written; Avro that needs no registry unless told. {@link
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
   * auto.register.schemas} and so on. A scheduler that answers in the registry's format needs the
   * registry here, too, whatever is written.
   */
  public SchedulesBuilder kafka(Map<String, ?> more) {
    settings.putAll(more);
    return this;
  }

  /**
   * Connects to nothing yet.
   *
   * @throws ConfigException saying all that is wrong with the registry's settings
   */
  public Schedules build() {
    Optional<RegistrySettings> registry = RegistrySettings.among(settings);
    if (format == WireFormat.AVRO_REGISTRY && registry.isEmpty()) {
      throw new ConfigException(
          "the format AVRO_REGISTRY needs a schema registry: set schema.registry.url, for example"
              + " http://127.0.0.1:8081");
    }
    Map<String, Object> ofKafka = new HashMap<>(settings);
    ofKafka.keySet().removeAll(RegistrySettings.KEYS);
    return new Schedules(new Connection(ofKafka, topics, format, registry, timeout));
  }
}
