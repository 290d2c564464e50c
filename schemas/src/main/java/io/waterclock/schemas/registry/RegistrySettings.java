package io.waterclock.schemas.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * The connection to a schema registry and its use. The keys are those of Confluent's serializers.
 *
 * @param endpoints the same registry; each is tried until one answers
 * @param tls empty: the defaults of the JVM
 * @param autoRegister whether schemas that are written are registered, or only looked up
 * @param useLatest whether the latest version of a subject is taken, if it is the same schema but
 *     for what does not change the bytes; only where schemas are not registered
 * @param subjects under which subject schemas are registered or looked up
 * @param connectTimeout for one address
 * @param readTimeout for the whole answer of one address
 */
public record RegistrySettings(
    List<Endpoint> endpoints,
    Optional<SSLContext> tls,
    boolean autoRegister,
    boolean useLatest,
    SubjectStrategy subjects,
    Duration connectTimeout,
    Duration readTimeout) {

  /** The key that enables the registry. */
  public static final String URL = SettingsReader.URL;

  /** Every key that is read. */
  public static final Set<String> KEYS = SettingsReader.KEYS;

  public RegistrySettings {
    endpoints = List.copyOf(endpoints);
  }

  /**
   * Reads the settings.
   *
   * @param settings may hold others, which are left alone
   * @param problems is given a sentence for each setting that is wrong
   * @return empty when no registry is configured, or one is with a problem
   */
  public static Optional<RegistrySettings> parse(
      Map<String, String> settings, List<String> problems) {
    SettingsReader reader = new SettingsReader(settings, problems);
    if (!reader.hasUrl()) {
      return Optional.empty();
    }
    int before = problems.size();
    RegistrySettings read =
        new RegistrySettings(
            reader.endpoints(),
            reader.tls(),
            reader.flag(SettingsReader.AUTO_REGISTER, true),
            reader.flag(SettingsReader.USE_LATEST, false),
            reader.strategy(),
            reader.millis(SettingsReader.CONNECT_TIMEOUT),
            reader.millis(SettingsReader.READ_TIMEOUT));
    if (read.useLatest && read.autoRegister) {
      problems.add("use.latest.version: works only with auto.register.schemas=false");
    }
    return problems.size() == before ? Optional.of(read) : Optional.empty();
  }

  /**
   * Reads the settings of a registry among those of Kafka's clients.
   *
   * @param settings texts, passwords or what becomes text; nulls and others are left alone
   * @return empty when no registry is configured
   * @throws ConfigException with a sentence for each setting that is wrong
   */
  public static Optional<RegistrySettings> among(Map<String, ?> settings) {
    Map<String, String> own = new HashMap<>();
    for (String key : KEYS) {
      if (settings.get(key) instanceof Password password) {
        own.put(key, password.value());
      } else if (settings.get(key) != null) {
        own.put(key, String.valueOf(settings.get(key)));
      }
    }
    List<String> problems = new ArrayList<>();
    Optional<RegistrySettings> registry = parse(own, problems);
    if (!problems.isEmpty()) {
      throw new ConfigException(String.join("; ", problems));
    }
    return registry;
  }

  /** The addresses, for messages. */
  String address() {
    return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
  }
}
