package io.waterclock.runtime.config;

import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsConfig;

/** Reads the settings one by one, and collects their problems. */
final class ConfigParser {
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}");

  private final Map<String, String> rest;

  /** The keys that were read. */
  private final Set<String> own = new HashSet<>();

  private final List<String> problems = new ArrayList<>();

  ConfigParser(Map<String, String> settings) {
    this.rest = new TreeMap<>(settings);
  }

  /** Throws all problems, if there is one. */
  void end() {
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
  }

  void problem(String problem) {
    problems.add(problem);
  }

  /** The settings that are left, for Kafka Streams and its clients; call this last. */
  Map<String, Object> kafka() {
    Map<String, Object> kafka = new HashMap<>(KafkaSettings.check(rest, own, problems));
    String key = StreamsConfig.APPLICATION_SERVER_CONFIG;
    Optional.ofNullable(kafka.get(key))
        .map(String::valueOf)
        .filter(
            address ->
                Optional.ofNullable(Utils.getHost(address)).filter(h -> !h.isEmpty()).isEmpty()
                    || Utils.getPort(address) == null)
        .ifPresent(
            address ->
                problems.add(
                    key + ": \"" + address + "\" is not HOST:PORT; for example 10.0.0.7:8085"));
    return kafka;
  }

  static WireFormat format(String text) {
    try {
      return WireFormat.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is none of avro, avro-registry and json", e);
    }
  }

  Optional<RegistrySettings> registry(WireFormat format) {
    Optional<RegistrySettings> registry = RegistrySettings.parse(rest, problems);
    if (format == WireFormat.AVRO_REGISTRY && !rest.containsKey(RegistrySettings.URL)) {
      problems.add(
          "format: avro-registry needs a registry; for example %s=http://127.0.0.1:8081"
              .formatted(RegistrySettings.URL));
    }
    rest.keySet().removeAll(RegistrySettings.KEYS);
    return registry;
  }

  /** Reads a list that reports its problems one by one. */
  <T> Optional<T> list(String key, BiFunction<String, List<String>, T> parse) {
    List<String> found = new ArrayList<>();
    Optional<T> list = text(key).map(text -> parse.apply(text, found));
    found.forEach(problem -> problems.add(key + ": " + problem));
    return list;
  }

  boolean yesOrNo(String key, boolean otherwise) {
    Optional<String> text = text(key);
    if (text.filter(word -> !word.equals("true") && !word.equals("false")).isPresent()) {
      problems.add(key + ": \"" + text.get() + "\" is neither true nor false");
    }
    return text.map(Boolean::parseBoolean).orElse(otherwise);
  }

  /** Empty for {@code off}. */
  static Optional<Integer> port(String text) {
    return text.equals("off") ? Optional.empty() : Optional.of(integer(text, 0, 65_535));
  }

  List<String> hosts(String key) {
    List<String> hosts = new ArrayList<>();
    for (String part : text(key).orElse("").split(",", -1)) {
      String host = part.strip();
      if (HOST.matcher(host).matches()) {
        hosts.add(host);
      } else if (!host.isEmpty()) {
        problems.add(
            key
                + ": \""
                + host
                + "\" is no name of a host: letters, digits, . and -, without a port, with commas"
                + " between the names; for example waterclock, waterclock.example.com");
      }
    }
    return hosts;
  }

  Duration duration(String key, Duration otherwise) {
    return parsed(key, text -> positive(text, otherwise)).orElse(otherwise);
  }

  private static Duration positive(String text, Duration example) {
    Duration duration = Durations.parse(text);
    if (duration.isZero() || duration.isNegative()) {
      throw new IllegalArgumentException(text + " is not above zero; for example " + example);
    }
    return duration;
  }

  Optional<Integer> number(String key, int least, int most) {
    return parsed(key, text -> integer(text, least, most));
  }

  private static int integer(String text, int least, int most) {
    if (text.matches("[+-]?0*[0-9]{1,10}")) {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return (int) number;
      }
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" is not a whole number from " + least + " to " + most);
  }

  /** Empty if the setting is absent, or wrong: the parser's message is then a problem. */
  <T> Optional<T> parsed(String key, Function<String, T> parser) {
    try {
      return text(key).map(parser);
    } catch (IllegalArgumentException e) {
      problems.add(key + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  Optional<String> text(String key) {
    own.add(key);
    return Optional.ofNullable(rest.remove(key)).map(String::trim).filter(text -> !text.isEmpty());
  }
}
