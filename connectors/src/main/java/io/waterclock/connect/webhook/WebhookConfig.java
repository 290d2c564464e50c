package io.waterclock.connect.webhook;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.waterclock.connect.Setting;
import io.waterclock.connect.SettingDefinitions;
import io.waterclock.connect.rules.AddressRange;
import io.waterclock.connect.rules.AddressRule;
import io.waterclock.connect.rules.Destinations;
import io.waterclock.connect.rules.EventForm;
import io.waterclock.connect.rules.RetryRule;
import io.waterclock.connect.rules.Signature;
import io.waterclock.connect.rules.UrlPattern;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.registry.RegistrySettings;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of the webhook connector.
 *
 * @param patience how long the connector retries for a schedule, from the first failed attempt
 * @param maxInFlight how many requests of a task run at a time
 * @param mostHeld how many fires and bytes a task holds before it stops reading
 * @param outcomes the settings of the producer of outcomes; empty: the connector reports none
 * @param registry for fires in Confluent's wire format
 */
record WebhookConfig(
    Topics topics,
    Destinations destinations,
    AddressRule addresses,
    EventForm form,
    Optional<Signature> signature,
    Authentication authentication,
    Duration connectTimeout,
    Duration requestTimeout,
    RetryRule retries,
    Duration patience,
    int maxInFlight,
    HeldFires mostHeld,
    Optional<Map<String, Object>> outcomes,
    Optional<RegistrySettings> registry) {

  static final String URL = "url";
  private static final String PREFIX = "prefix";
  private static final String URL_LABEL = "url.label";
  private static final String URL_ALLOW = "url.allow";
  private static final String INTERNAL_ALLOW = "internal.allow";
  private static final String MODE = "mode";
  private static final String BODY = "body";
  private static final String CONNECT_TIMEOUT = "connect.timeout.ms";
  private static final String REQUEST_TIMEOUT = "request.timeout.ms";
  private static final String BACKOFF = "retry.backoff.ms";
  private static final String LONGEST_BACKOFF = "retry.backoff.max.ms";
  private static final String PATIENCE = "retry.timeout.ms";
  private static final String MAX_IN_FLIGHT = "max.in.flight";
  private static final String MAX_BUFFERED = "max.buffered";
  private static final String MAX_BUFFERED_BYTES = "max.buffered.bytes";
  private static final String AUTH_TYPE = "auth.type";
  private static final String BASIC_USER = "auth.basic.user";
  private static final String BASIC_PASSWORD = "auth.basic.password";
  private static final String BEARER_TOKEN = "auth.bearer.token";
  private static final String TOKEN_URL = "auth.oauth2.token.url";
  private static final String CLIENT_ID = "auth.oauth2.client.id";
  private static final String CLIENT_SECRET = "auth.oauth2.client.secret";
  private static final String SCOPE = "auth.oauth2.scope";
  private static final String SECRETS = "signature.secrets";
  private static final String OUTCOMES = "outcomes.bootstrap.servers";
  private static final String OUTCOMES_PRODUCER = "outcomes.producer.";
  private static final String STRUCTURED = "structured";
  private static final String BINARY = "binary";
  private static final String FIRE = "fire";
  private static final String PAYLOAD = "payload";

  /**
   * The secrets in the examples of Standard Webhooks, its libraries, and an earlier example of
   * ours.
   */
  private static final Set<String> PUBLISHED_SECRETS =
      Set.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD");

  static final ConfigDef DEFINITION = definition();

  private static ConfigDef definition() {
    return new SettingDefinitions()
        .text(HIGH, PREFIX, Topics.DEFAULT_PREFIX)
        .doc(
            "The scheduler's prefix: the CloudEvents source is /waterclock/<prefix>, outcomes go to"
                + " <prefix>.outcomes.")
        .text(HIGH, URL)
        .doc("The URL for fires whose schedule names none. Empty: such fires fail.")
        .list(HIGH, URL_ALLOW, "")
        .doc(
            "Patterns of the URLs that a schedule may name, for example"
                + " https://*.example.com/jobs. Empty: none.")
        .text(MEDIUM, URL_LABEL, "webhook-url")
        .doc("The label in which a schedule names its URL. Empty: the connector ignores labels.")
        .list(HIGH, INTERNAL_ALLOW, "")
        .doc(
            "Ranges of internal addresses to which the connector may connect, for example"
                + " 10.20.0.0/16. It refuses all other internal addresses, for every URL.")
        .text(MEDIUM, MODE, STRUCTURED, BINARY, STRUCTURED)
        .doc(
            "The CloudEvents mode: one JSON document, which a signature of Standard Webhooks covers"
                + " as a whole, or attributes in headers, which it does not cover.")
        .text(MEDIUM, BODY, FIRE, FIRE, PAYLOAD)
        .doc("The event's data: the fire as JSON, or the schedule's payload alone.")
        .number(LOW, CONNECT_TIMEOUT, 5_000L, 1L, 600_000L)
        .doc("The timeout for opening a connection.")
        .number(MEDIUM, REQUEST_TIMEOUT, 30_000L, 1L, 3_600_000L)
        .doc("The timeout of a whole request. With OAuth an attempt has up to four requests.")
        .number(MEDIUM, BACKOFF, 1_000L, 1L, 3_600_000L)
        .doc("The backoff before the second attempt; it doubles before each later one.")
        .number(MEDIUM, LONGEST_BACKOFF, 60_000L, 1L, 86_400_000L)
        .doc("The limit of the backoff, unless the server asks for a longer one.")
        .number(HIGH, PATIENCE, 600_000L, 0L, 604_800_000L)
        .doc("How long the connector retries for a schedule, from the first failed attempt.")
        .number(MEDIUM, MAX_IN_FLIGHT, 16, 1, 1_000)
        .doc("How many requests of a task run at a time; at most one for each schedule.")
        .number(LOW, MAX_BUFFERED, 10_000, 1, 10_000_000)
        .doc("How many fires a task holds before it stops reading until half of them are done.")
        .number(LOW, MAX_BUFFERED_BYTES, 33_554_432L, 1L, 10_000_000_000L)
        .doc("How many bytes of fires a task holds before it stops reading until half are done.")
        .text(HIGH, AUTH_TYPE, "none", "none", "basic", "bearer", "oauth2")
        .doc("The authentication of requests: basic, bearer, oauth2 (client credentials), or none.")
        .text(MEDIUM, BASIC_USER)
        .doc("The user for basic.")
        .secret(MEDIUM, BASIC_PASSWORD)
        .doc("The password for basic.")
        .secret(MEDIUM, BEARER_TOKEN)
        .doc("The token for bearer.")
        .text(MEDIUM, TOKEN_URL)
        .doc("The URL of the token server for oauth2.")
        .text(MEDIUM, CLIENT_ID)
        .doc("The client id for oauth2.")
        .secret(MEDIUM, CLIENT_SECRET)
        .doc("The client secret for oauth2.")
        .text(LOW, SCOPE)
        .doc("The scope to ask for; empty: none.")
        .secret(HIGH, SECRETS)
        .doc(
            "Comma-separated secrets of 24 bytes or more that sign requests (HMAC-SHA256); two"
                + " while a new one replaces an old one. Empty: the connector does not sign"
                + " requests.")
        .text(HIGH, OUTCOMES)
        .doc(
            "The brokers for the outcomes of fires that ask for them. Empty: the connector"
                + " reports none. Settings of this producer begin with "
                + OUTCOMES_PRODUCER
                + " .")
        .settings();
  }

  /**
   * @throws ConfigException with the first wrong key and a valid example
   */
  static WebhookConfig of(Map<String, String> given) {
    AbstractConfig config = new AbstractConfig(DEFINITION, given, false);
    Topics topics = Setting.parse(PREFIX, config.getString(PREFIX), Topics::new);
    Destinations destinations =
        new Destinations(
            Setting.text(config, URL).map(text -> url(URL, text)),
            Setting.text(config, URL_LABEL),
            list(config, URL_ALLOW, UrlPattern::parse));
    if (destinations.configured().isEmpty()
        && (destinations.allowed().isEmpty() || destinations.label().isEmpty())) {
      throw new ConfigException(
          URL + " is empty, and no schedule may name a URL; set it, or " + URL_ALLOW);
    }
    return new WebhookConfig(
        topics,
        destinations,
        new AddressRule(list(config, INTERNAL_ALLOW, AddressRange::parse)),
        new EventForm(
            config.getString(MODE).equals(STRUCTURED),
            config.getString(BODY).equals(PAYLOAD),
            topics.ceSource()),
        signature(config),
        authentication(config),
        Duration.ofMillis(config.getLong(CONNECT_TIMEOUT)),
        Duration.ofMillis(config.getLong(REQUEST_TIMEOUT)),
        new RetryRule(
            Duration.ofMillis(config.getLong(BACKOFF)),
            Duration.ofMillis(config.getLong(LONGEST_BACKOFF))),
        Duration.ofMillis(config.getLong(PATIENCE)),
        config.getInt(MAX_IN_FLIGHT),
        new HeldFires(config.getInt(MAX_BUFFERED), config.getLong(MAX_BUFFERED_BYTES)),
        Setting.text(config, OUTCOMES)
            .map(
                servers -> {
                  Map<String, Object> producer =
                      new HashMap<>(config.originalsWithPrefix(OUTCOMES_PRODUCER));
                  producer.put("bootstrap.servers", servers);
                  return Map.copyOf(producer);
                }),
        RegistrySettings.among(given));
  }

  private static Authentication authentication(AbstractConfig config) {
    return switch (config.getString(AUTH_TYPE)) {
      case "basic" ->
          new Authentication.Fixed(
              Optional.of(
                  Authentication.basic(
                      needed(config, BASIC_USER), secret(config, BASIC_PASSWORD))));
      case "bearer" ->
          new Authentication.Fixed(Optional.of("Bearer " + secret(config, BEARER_TOKEN)));
      case "oauth2" ->
          new Authentication.ClientCredentials(
              url(TOKEN_URL, needed(config, TOKEN_URL)),
              needed(config, CLIENT_ID),
              secret(config, CLIENT_SECRET),
              Setting.text(config, SCOPE));
      default -> new Authentication.Fixed(Optional.empty());
    };
  }

  private static Optional<Signature> signature(AbstractConfig config) {
    List<String> secrets =
        Arrays.stream(config.getPassword(SECRETS).value().split(",", -1))
            .map(String::strip)
            .filter(secret -> !secret.isEmpty())
            .toList();
    if (secrets.stream().anyMatch(PUBLISHED_SECRETS::contains)) {
      throw new ConfigException(
          SECRETS
              + ": this secret is published in examples; whsec_ and the output of openssl rand"
              + " -base64 32 is right");
    }
    try {
      return secrets.isEmpty() ? Optional.empty() : Optional.of(Signature.of(secrets));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(SECRETS + ": " + e.getMessage());
    }
  }

  private static String needed(AbstractConfig config, String key) {
    return Setting.text(config, key).orElseThrow(() -> missing(config, key));
  }

  private static String secret(AbstractConfig config, String key) {
    String secret = config.getPassword(key).value();
    if (secret.isEmpty()) {
      throw missing(config, key);
    }
    return secret;
  }

  private static ConfigException missing(AbstractConfig config, String key) {
    return new ConfigException(
        key + " is missing, as " + AUTH_TYPE + " is " + config.getString(AUTH_TYPE));
  }

  private static URI url(String key, String text) {
    return UrlPattern.url(text)
        .orElseThrow(
            () ->
                new ConfigException(
                    key,
                    UrlPattern.shown(text),
                    "must be an http or https URL without user info, for example"
                        + " https://hooks.example.com/jobs"));
  }

  private static <T> List<T> list(AbstractConfig config, String key, Function<String, T> reading) {
    return config.getList(key).stream().map(text -> Setting.parse(key, text, reading)).toList();
  }
}
