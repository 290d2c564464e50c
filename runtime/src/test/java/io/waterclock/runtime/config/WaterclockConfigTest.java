package io.waterclock.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.brokers.WantedSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WaterclockConfigTest {

  @Test
  void without_settings_there_is_a_scheduler_on_this_machine() {
    WaterclockConfig config = WaterclockConfig.parse(Map.of());
    assertThat(config.bootstrapServers()).isEqualTo("127.0.0.1:9092");
    assertThat(config.applicationId()).isEqualTo("waterclock-scheduler");
    assertThat(config.topics().fires()).isEqualTo("waterclock.fires");
    assertThat(config.partitions()).isEmpty();
    assertThat(config.replicationFactor()).isEmpty();
    assertThat(config.format()).isEqualTo(WireFormat.AVRO);
    assertThat(config.defaultTimezone()).isEqualTo(ZoneId.of("UTC"));
    assertThat(config.health())
        .contains(new WaterclockConfig.HealthAddress("127.0.0.1", 8085, List.of()));
    assertThat(config.minInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.pace().tick()).isEqualTo(Duration.ofMillis(1));
    assertThat(config.completedRetention()).isEqualTo(Duration.ofHours(1));
    assertThat(config.removedRetention()).isEqualTo(Duration.ofHours(1));
    assertThat(config.stateCompactionAge()).isEqualTo(Duration.ofHours(1));
    assertThat(config.stateMaxAge()).isEqualTo(Duration.ofHours(12));
    assertThat(config.targets().isEmpty()).isTrue();
    assertThat(config.owners().owners()).isEmpty();
    assertThat(config.kafka()).isEmpty();
  }

  @Test
  void the_address_that_others_are_told_is_checked() {
    assertThat(WaterclockConfig.parse(Map.of("application.server", "[::1]:8085")).kafka())
        .containsEntry("application.server", "[::1]:8085");
    for (String bad : List.of("scheduler", "10.0.0.7:", ":8085")) {
      assertThat(problems(Map.of("application.server", bad)))
          .containsExactly(
              "application.server: \"" + bad + "\" is not HOST:PORT; for example 10.0.0.7:8085");
    }
  }

  @Test
  void every_setting_that_is_documented_is_one() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "configuration.md"));
    List<String> keys =
        Pattern.compile("^\\| key \\|.*\\n(\\|.*\\n)*", Pattern.MULTILINE)
            .matcher(page)
            .results()
            .flatMap(
                table ->
                    Pattern.compile("(?m)^\\| `([a-z.]+)` \\|").matcher(table.group()).results())
            .map(row -> row.group(1))
            .filter(key -> !key.matches("(log|console)(\\..*)?")) // the command takes them out
            .toList();
    assertThat(keys).hasSizeGreaterThan(25).contains("backfill.rate", "schema.registry.url");
    for (String key : keys.stream().filter(key -> !key.equals("partitions")).toList()) {
      assertThat(problems(Map.of(key, "?", "partitions", "none")))
          .as(key)
          .noneMatch(problem -> problem.contains("is no setting"));
    }
  }

  @Test
  void every_setting_has_its_key() {
    WaterclockConfig config =
        WaterclockConfig.parse(
            Map.ofEntries(
                Map.entry("bootstrap.servers", "a:1,b:2"),
                Map.entry("prefix", "tenant"),
                Map.entry("partitions", "24"),
                Map.entry("replication.factor", "3"),
                Map.entry("topics.accept", "segment.bytes, compression.type"),
                Map.entry("format", "json"),
                Map.entry("default.timezone", "Europe/Berlin"),
                Map.entry("instance", "one"),
                Map.entry("health.host", "0.0.0.0"),
                Map.entry("health.port", "0"),
                Map.entry("min.interval", "100ms"),
                Map.entry("tick.interval", "20ms"),
                Map.entry("tick.budget", "PT0.05S"),
                Map.entry("catch.up.chunk", "7"),
                Map.entry("watermark.interval", "1s"),
                Map.entry("watchdog.interval", "10m"),
                Map.entry("completed.retention", "2h"),
                Map.entry("removed.retention", "10m"),
                Map.entry("state.compaction.age", "1d"),
                Map.entry("state.max.age", "3h"),
                Map.entry("targets.allow", "orders.*, mail"),
                Map.entry("owner.limits", "acme/ schedules=7")));
    assertThat(config.bootstrapServers()).isEqualTo("a:1,b:2");
    assertThat(config.applicationId()).isEqualTo("tenant-scheduler");
    assertThat(config.partitions()).contains(24);
    assertThat(config.replicationFactor()).contains(3);
    assertThat(config.accepted())
        .containsExactlyInAnyOrder(WantedSetting.COMPRESSION_TYPE, WantedSetting.SEGMENT_BYTES);
    assertThat(config.format()).isEqualTo(WireFormat.JSON);
    assertThat(config.defaultTimezone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(config.instance()).isEqualTo("one");
    assertThat(config.health())
        .contains(new WaterclockConfig.HealthAddress("0.0.0.0", 0, List.of()));
    assertThat(config.minInterval()).isEqualTo(Duration.ofMillis(100));
    assertThat(config.pace().tick()).isEqualTo(Duration.ofMillis(20));
    assertThat(config.pace().tickBudget().time()).isEqualTo(Duration.ofMillis(50));
    assertThat(config.pace().catchUpChunk()).isEqualTo(7);
    assertThat(config.pace().watermarkInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.pace().watchdogInterval()).isEqualTo(Duration.ofMinutes(10));
    assertThat(config.completedRetention()).isEqualTo(Duration.ofHours(2));
    assertThat(config.removedRetention()).isEqualTo(Duration.ofMinutes(10));
    assertThat(config.stateCompactionAge()).isEqualTo(Duration.ofDays(1));
    assertThat(config.stateMaxAge()).isEqualTo(Duration.ofHours(3));
    assertThat(config.targets().entries()).containsExactly("orders.*", "mail", "tenant.retries");
    assertThat(config.owners().owners()).hasSize(1);
  }

  @Test
  void fires_may_return_for_a_retry_where_there_are_targets_unless_the_operator_says_otherwise() {
    assertThat(allowsRetries(Map.of())).isFalse();
    assertThat(allowsRetries(Map.of("retries", "true"))).isTrue();
    assertThat(allowsRetries(Map.of("targets.allow", "mail"))).isTrue();
    assertThat(allowsRetries(Map.of("owner.limits", "acme/ targets=mail"))).isTrue();
    assertThat(allowsRetries(Map.of("owner.limits", "acme/ schedules=7"))).isFalse();
    assertThat(allowsRetries(Map.of("targets.allow", "mail", "retries", "false"))).isFalse();
  }

  private static boolean allowsRetries(Map<String, String> settings) {
    return WaterclockConfig.parse(settings).targetRules().allowsRetries();
  }

  @Test
  void names_by_which_the_instance_may_be_asked_are_names_of_hosts() {
    WaterclockConfig config =
        WaterclockConfig.parse(Map.of("health.hosts", "waterclock, one.example.com"));
    assertThat(config.health().orElseThrow().hosts())
        .containsExactly("waterclock", "one.example.com");
    assertThat(
            catchThrowableOfType(
                    InvalidConfigException.class,
                    () -> WaterclockConfig.parse(Map.of("health.hosts", "http://waterclock, *")))
                .problems())
        .hasSize(2)
        .allSatisfy(problem -> assertThat(problem).startsWith("health.hosts: "));
  }

  @Test
  void a_list_of_targets_names_no_topic_that_is_nobodys_target() {
    assertThat(
            catchThrowableOfType(
                    InvalidConfigException.class,
                    () ->
                        WaterclockConfig.parse(
                            Map.of(
                                "targets.allow", "mail, __*, *, waterclock.schedules",
                                "owner.limits", "acme/ targets=acme.*,connect-configs",
                                "import.allow", "acme/*, a b")))
                .problems())
        .hasSize(5)
        .anySatisfy(problem -> assertThat(problem).startsWith("targets.allow: \"*\" would let"))
        .anySatisfy(problem -> assertThat(problem).startsWith("targets.allow: \"__*\" is a topic"))
        .anySatisfy(
            problem -> assertThat(problem).startsWith("targets.allow: \"waterclock.schedules\""))
        .anySatisfy(
            problem ->
                assertThat(problem)
                    .startsWith("owner.limits: \"acme/\": targets: \"connect-configs\""))
        .anySatisfy(problem -> assertThat(problem).startsWith("import.allow: \"a b\""));
  }

  @Test
  void health_can_be_switched_off() {
    assertThat(WaterclockConfig.parse(Map.of("health.port", "off")).health()).isEmpty();
  }

  @Test
  void all_problems_are_found_at_once() {
    List<String> problems =
        problems(
            Map.of(
                "partitions", "0",
                "format", "xml",
                "default.timezone", "Europe/Berln",
                "tick.interval", "soon",
                "watchdog.interval", "0s",
                "prefix", "a b",
                "health.port", "70000",
                "targets.allow", "a b",
                "owner.limits", "acme/ colour=blue",
                "colour", "blue"));
    assertThat(problems).hasSize(10);
    assertThat(problems)
        .anySatisfy(problem -> assertThat(problem).startsWith("partitions: "))
        .anySatisfy(problem -> assertThat(problem).startsWith("format: \"xml\""))
        .anySatisfy(problem -> assertThat(problem).contains("Europe/Berlin"))
        .anySatisfy(problem -> assertThat(problem).startsWith("tick.interval: "))
        .anySatisfy(problem -> assertThat(problem).startsWith("watchdog.interval: "))
        .anySatisfy(problem -> assertThat(problem).startsWith("prefix: "))
        .anySatisfy(problem -> assertThat(problem).startsWith("health.port: "))
        .anySatisfy(problem -> assertThat(problem).startsWith("targets.allow: \"a b\""))
        .anySatisfy(problem -> assertThat(problem).startsWith("owner.limits: \"acme/\""))
        .anySatisfy(problem -> assertThat(problem).startsWith("colour: "));
  }

  @ParameterizedTest
  @CsvSource({
    "partition, partitions",
    "tick.intervall, tick.interval",
    "bootstrap.server, bootstrap.servers",
    "num.stream.thread, num.stream.threads",
    "linger.mss, linger.ms"
  })
  void an_unknown_key_names_the_nearest_one(String key, String nearest) {
    assertThat(problems(Map.of(key, "1")))
        .singleElement()
        .asString()
        .startsWith(key + ": is no setting of Waterclock, Kafka Streams or a Kafka client")
        .endsWith("did you mean " + nearest + "?");
  }

  @ParameterizedTest
  @CsvSource({
    "processing.guarantee, at_least_once",
    "group.protocol, streams",
    "main.consumer.group.protocol, consumer",
    "consumer.isolation.level, read_uncommitted",
    "isolation.level, read_uncommitted"
  })
  void settings_on_which_exactly_once_rests_cannot_be_changed(String key, String value) {
    assertThat(problems(Map.of(key, value)))
        .singleElement()
        .asString()
        .startsWith(key + ": must be ")
        .contains("exactly-once rests on it");
  }

  @ParameterizedTest
  @CsvSource({
    "producer.max.request.size, abc",
    "commit.interval.ms, 1s",
    "main.consumer.session.timeout.ms, ''",
    "enable.metrics.push, 2"
  })
  void a_setting_that_kafka_cannot_read_is_a_problem_like_any_other(String key, String value) {
    assertThat(problems(Map.of(key, value)))
        .singleElement()
        .asString()
        .startsWith(key + ": Invalid value " + value);
  }

  @Test
  void a_fixed_setting_with_its_one_value_is_no_problem() {
    assertThat(WaterclockConfig.parse(Map.of("processing.guarantee", "exactly_once_v2")).kafka())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "num.stream.threads",
        "security.protocol",
        "sasl.jaas.config",
        "producer.linger.ms",
        "consumer.max.poll.records",
        "main.consumer.session.timeout.ms",
        "restore.consumer.max.poll.records",
        "admin.retries",
        "topic.segment.bytes",
        "state.dir"
      })
  void settings_of_kafka_pass_through(String key) {
    assertThat(WaterclockConfig.parse(Map.of(key, "1")).kafka()).isEqualTo(Map.of(key, "1"));
  }

  @Test
  void blank_values_count_as_absent() {
    assertThat(WaterclockConfig.parse(Map.of("partitions", " ")).partitions())
        .isEqualTo(Optional.empty());
  }

  private static List<String> problems(Map<String, String> settings) {
    return catchThrowableOfType(
            InvalidConfigException.class, () -> WaterclockConfig.parse(settings))
        .problems();
  }
}
