package io.waterclock.runtime.config;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.runtime.config.WaterclockConfig.HealthAddress;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.Instants;
import io.waterclock.topology.scheduler.context.Settings.Budget;
import io.waterclock.topology.scheduler.context.Settings.Pace;
import io.waterclock.topology.scheduler.store.StateAge;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.ZoneId;
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

  /** The region: the equal offset would print as "Z". */
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static final int DEFAULT_HEALTH_PORT = 8085;

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}");

  private final Map<String, String> rest;

  /** The keys that were read. */
  private final Set<String> own = new HashSet<>();

  private final List<String> problems = new ArrayList<>();

  ConfigParser(Map<String, String> settings) {
    this.rest = new TreeMap<>(settings);
  }

  WaterclockConfig parse() {
    Topics topics = parsed("prefix", Topics::new).orElseGet(Topics::ofDefault);
    WireFormat format = parsed("format", ConfigParser::format).orElse(WireFormat.AVRO);
    Optional<RegistrySettings> registry = registry(format);
    Pace standard = Pace.standard();
    WaterclockConfig config =
        new WaterclockConfig(
            text("bootstrap.servers").orElse("127.0.0.1:9092"),
            text("application.id").orElse(topics.prefix() + WaterclockConfig.APPLICATION_ID_ENDING),
            topics,
            number("partitions", 1, 100_000),
            number("replication.factor", 1, 100),
            format,
            registry,
            parsed("default.timezone", Instants::zone).orElse(UTC),
            text("instance").orElseGet(() -> ManagementFactory.getRuntimeMXBean().getName()),
            health(),
            duration("min.interval", Duration.ofSeconds(1)),
            new Pace(
                duration("tick.interval", standard.tick()),
                new Budget(
                    duration("tick.budget", standard.tickBudget().time()),
                    number("tick.budget.decisions", 1, Integer.MAX_VALUE)
                        .orElse(standard.tickBudget().decisions()),
                    duration("tick.budget.catchup", standard.tickBudget().catchUp())),
                number("catch.up.chunk", 1, 1_000_000).orElse(standard.catchUpChunk()),
                duration("watermark.interval", standard.watermarkInterval()),
                duration("watchdog.interval", standard.watchdogInterval()),
                number("backfill.rate", 1, 1_000_000).orElse(standard.backfillRate())),
            duration("completed.retention", Duration.ofHours(1)),
            duration("removed.retention", Duration.ofHours(1)),
            duration("state.compaction.age", Duration.ofHours(1)),
            duration("state.max.age", StateAge.STANDARD),
            list("targets.allow", AllowList::topics).orElse(AllowList.none()),
            list("owner.limits", OwnerLimits::parse).orElse(OwnerLimits.none()),
            list("import.allow", AllowList::ids).orElse(AllowList.none()),
            yesOrNo("transactions.abort", true),
            new HashMap<>(KafkaSettings.check(rest, own, problems)));
    checkAddress(config);
    checkTargets(config);
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    return config;
  }

  private void checkAddress(WaterclockConfig config) {
    String key = StreamsConfig.APPLICATION_SERVER_CONFIG;
    Optional.ofNullable(config.kafka().get(key))
        .map(String::valueOf)
        .filter(
            address ->
                Optional.ofNullable(Utils.getHost(address)).filter(h -> !h.isEmpty()).isEmpty()
                    || Utils.getPort(address) == null)
        .ifPresent(
            address ->
                problems.add(
                    key + ": \"" + address + "\" is not HOST:PORT; for example 10.0.0.7:8085"));
  }

  /** Reports entries that name a topic of the scheduler or of Kafka, which are never targets. */
  private void checkTargets(WaterclockConfig config) {
    checkTargets("targets.allow: ", config.targets(), config);
    for (OwnerLimits.Owner owner : config.owners().owners()) {
      String where = "owner.limits: \"" + owner.name() + "\": targets: ";
      owner.targets().ifPresent(list -> checkTargets(where, list, config));
    }
  }

  private void checkTargets(String where, AllowList targets, WaterclockConfig config) {
    targets.entries().stream()
        .filter(entry -> !entry.contains("*") || entry.startsWith("__"))
        .flatMap(entry -> config.targetRules().never(entry).stream())
        .forEach(objection -> problems.add(where + objection + ", which is never a target"));
  }

  private static WireFormat format(String text) {
    try {
      return WireFormat.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is none of avro, avro-registry and json", e);
    }
  }

  private Optional<RegistrySettings> registry(WireFormat format) {
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
  private <T> Optional<T> list(String key, BiFunction<String, List<String>, T> parse) {
    List<String> found = new ArrayList<>();
    Optional<T> list = text(key).map(text -> parse.apply(text, found));
    found.forEach(problem -> problems.add(key + ": " + problem));
    return list;
  }

  private boolean yesOrNo(String key, boolean otherwise) {
    Optional<String> text = text(key);
    if (text.filter(word -> !word.equals("true") && !word.equals("false")).isPresent()) {
      problems.add(key + ": \"" + text.get() + "\" is neither true nor false");
    }
    return text.map(Boolean::parseBoolean).orElse(otherwise);
  }

  private Optional<HealthAddress> health() {
    String host = text("health.host").orElse("127.0.0.1");
    List<String> hosts = hosts();
    Optional<Integer> standard = Optional.of(DEFAULT_HEALTH_PORT);
    return parsed("health.port", ConfigParser::port)
        .orElse(standard)
        .map(port -> new HealthAddress(host, port, hosts));
  }

  private static Optional<Integer> port(String text) {
    return text.equals("off") ? Optional.empty() : Optional.of(integer(text, 0, 65_535));
  }

  private List<String> hosts() {
    List<String> hosts = new ArrayList<>();
    for (String part : text("health.hosts").orElse("").split(",", -1)) {
      String host = part.strip();
      if (HOST.matcher(host).matches()) {
        hosts.add(host);
      } else if (!host.isEmpty()) {
        problems.add(
            "health.hosts: \""
                + host
                + "\" is no name of a host: letters, digits, . and -, without a port, with commas"
                + " between the names; for example waterclock, waterclock.example.com");
      }
    }
    return hosts;
  }

  private Duration duration(String key, Duration otherwise) {
    return parsed(key, text -> positive(text, otherwise)).orElse(otherwise);
  }

  private static Duration positive(String text, Duration example) {
    Duration duration = Durations.parse(text);
    if (duration.isZero() || duration.isNegative()) {
      throw new IllegalArgumentException(text + " is not above zero; for example " + example);
    }
    return duration;
  }

  private Optional<Integer> number(String key, int least, int most) {
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
  private <T> Optional<T> parsed(String key, Function<String, T> parser) {
    try {
      return text(key).map(parser);
    } catch (IllegalArgumentException e) {
      problems.add(key + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<String> text(String key) {
    own.add(key);
    return Optional.ofNullable(rest.remove(key)).map(String::trim).filter(text -> !text.isEmpty());
  }
}
