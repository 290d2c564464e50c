package io.waterclock.schemas.registry;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** Reads the settings of a registry and collects their problems. */
record SettingsReader(Map<String, String> settings, List<String> problems) {
  static final String URL = "schema.registry.url";
  private static final String BASIC_SOURCE = "basic.auth.credentials.source";
  private static final String BASIC_USER = "basic.auth.user.info";
  private static final String BEARER_SOURCE = "bearer.auth.credentials.source";
  private static final String BEARER_TOKEN = "bearer.auth.token";
  static final String AUTO_REGISTER = "auto.register.schemas";
  static final String USE_LATEST = "use.latest.version";
  private static final String STRATEGY = "value.subject.name.strategy";
  static final String CONNECT_TIMEOUT = "http.connect.timeout.ms";
  static final String READ_TIMEOUT = "http.read.timeout.ms";
  private static final String TLS_PREFIX = "schema.registry.";

  /** Not what a client of HTTP has no use for, and names of hosts are always verified. */
  private static final Set<String> NOT_HERE =
      Set.of(
          SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG,
          SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG);

  private static final ConfigDef TLS = new ConfigDef().withClientSslSupport();

  static final Set<String> KEYS = keys();

  private static final int DEFAULT_TIMEOUT_MS = 5_000;
  private static final int LONGEST_TIMEOUT_MS = 600_000;

  private static Set<String> keys() {
    Set<String> keys =
        new TreeSet<>(
            Set.of(
                URL,
                BASIC_SOURCE,
                BASIC_USER,
                BEARER_SOURCE,
                BEARER_TOKEN,
                AUTO_REGISTER,
                USE_LATEST,
                STRATEGY,
                CONNECT_TIMEOUT,
                READ_TIMEOUT));
    TLS.names().stream()
        .filter(key -> !NOT_HERE.contains(key))
        .forEach(key -> keys.add(TLS_PREFIX + key));
    return Set.copyOf(keys);
  }

  /** Whether there is a registry. Without one, its other settings are problems. */
  boolean hasUrl() {
    boolean hasUrl = text(URL).isPresent();
    if (!hasUrl) {
      KEYS.stream()
          .filter(settings::containsKey)
          .filter(key -> !key.equals(URL))
          .sorted()
          .forEach(key -> problems.add(key + ": is set, but " + URL + " is not"));
    }
    return hasUrl;
  }

  List<Endpoint> endpoints() {
    String urls = text(URL).orElseThrow();
    Optional<String> authorization = authorization();
    List<Endpoint> endpoints = new ArrayList<>();
    for (String each : urls.split(",")) {
      if (!each.isBlank()) {
        endpoint(each.trim(), authorization).ifPresent(endpoints::add);
      }
    }
    if (urls.replace(",", "").isBlank()) {
      problems.add(URL + ": holds no address; for example http://127.0.0.1:8081");
    }
    return endpoints;
  }

  private Optional<Endpoint> endpoint(String text, Optional<String> authorization) {
    try {
      URI uri = URI.create(text);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return Optional.of(
            new Endpoint(
                URI.create(scheme + "://" + uri.getHost() + port + path),
                authorization.or(() -> Optional.ofNullable(uri.getRawUserInfo()).map(this::url))));
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    problems.add(
        URL + ": one of its addresses is no http or https URL; for example http://127.0.0.1:8081");
    return Optional.empty();
  }

  private String url(String rawUserInfo) {
    return basic(URLDecoder.decode(rawUserInfo.replace("+", "%2B"), StandardCharsets.UTF_8));
  }

  private static String basic(String userInfo) {
    byte[] bytes = userInfo.getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(bytes);
  }

  /** That of every address; empty where the addresses may hold their own. */
  private Optional<String> authorization() {
    Optional<String> token = text(BEARER_TOKEN);
    Optional<String> user = text(BASIC_USER);
    oneOf(BEARER_SOURCE, "STATIC_TOKEN", token.isPresent());
    String source = text(BASIC_SOURCE).orElse(user.isPresent() ? "USER_INFO" : "URL");
    if (token.isPresent() && user.isPresent()) {
      problems.add(BEARER_TOKEN + ": is set and " + BASIC_USER + " too; one of them is meant");
    }
    switch (source) {
      case "USER_INFO" -> {
        if (user.filter(text -> text.contains(":")).isEmpty()) {
          problems.add(BASIC_USER + ": must be USER:PASSWORD, as " + BASIC_SOURCE + " says");
        }
      }
      case "URL" -> {
        if (user.isPresent()) {
          problems.add(
              BASIC_USER + ": is set, but " + BASIC_SOURCE + " is URL; USER_INFO is meant");
        }
      }
      default -> problems.add(BASIC_SOURCE + ": \"" + source + "\" is neither USER_INFO nor URL");
    }
    return token.map(text -> "Bearer " + text).or(() -> user.map(SettingsReader::basic));
  }

  private void oneOf(String key, String only, boolean needed) {
    Optional<String> value = text(key);
    if (value.filter(text -> !text.equals(only)).isPresent()) {
      problems.add(key + ": \"" + value.get() + "\" is not supported, only " + only);
    } else if (value.isPresent() && !needed) {
      problems.add(BEARER_TOKEN + ": must be set, as " + key + " says");
    }
  }

  Optional<SSLContext> tls() {
    Map<String, String> given = new HashMap<>();
    for (String key : TLS.names()) {
      text(TLS_PREFIX + key).ifPresent(value -> given.put(key, value));
    }
    if (given.isEmpty()) {
      return Optional.empty();
    }
    try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
      factory.configure(TLS.parse(given));
      return Optional.of(factory.sslContext());
    } catch (KafkaException e) {
      problems.add(TLS_PREFIX + "ssl.*: " + deepest(e));
      return Optional.empty();
    }
  }

  private static String deepest(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  SubjectStrategy strategy() {
    Optional<String> name = text(STRATEGY);
    Optional<SubjectStrategy> strategy = name.flatMap(SubjectStrategy::parse);
    if (name.isPresent() && strategy.isEmpty()) {
      problems.add(
          ("%s: \"%s\" is none of TopicNameStrategy, RecordNameStrategy and"
                  + " TopicRecordNameStrategy of io.confluent.kafka.serializers.subject")
              .formatted(STRATEGY, name.get()));
    }
    return strategy.orElse(SubjectStrategy.TOPIC_NAME);
  }

  boolean flag(String key, boolean otherwise) {
    Optional<String> text = text(key).map(value -> value.toLowerCase(Locale.ROOT));
    if (text.filter(value -> !value.equals("true") && !value.equals("false")).isPresent()) {
      problems.add(key + ": \"" + text.get() + "\" is neither true nor false");
    }
    return text.map(Boolean::parseBoolean).orElse(otherwise);
  }

  Duration millis(String key) {
    int millis = DEFAULT_TIMEOUT_MS;
    Optional<String> text = text(key);
    if (text.isPresent()) {
      millis = text.filter(value -> value.matches("\\d{1,9}")).map(Integer::parseInt).orElse(0);
      if (millis < 1 || millis > LONGEST_TIMEOUT_MS) {
        problems.add(
            "%s: \"%s\" is not a whole number of milliseconds from 1 to %s"
                .formatted(key, text.get(), LONGEST_TIMEOUT_MS));
      }
    }
    return Duration.ofMillis(millis);
  }

  private Optional<String> text(String key) {
    return Optional.ofNullable(settings.get(key)).map(String::trim).filter(text -> !text.isEmpty());
  }
}
