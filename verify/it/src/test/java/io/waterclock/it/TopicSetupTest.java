package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.brokers.StartFinding;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.brokers.WantedSetting;
import io.waterclock.testkit.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.server.common.MetadataVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The start creates what is missing, and stops at what is wrong with the way to mend it. */
@Timeout(600)
final class TopicSetupTest {
  private static final Map<String, String> GOOD_SCHEDULES =
      Map.of(
          "cleanup.policy", "compact",
          "compression.type", "uncompressed",
          "message.timestamp.type", "CreateTime",
          "min.compaction.lag.ms", "604800000",
          "delete.retention.ms", "604800000");

  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(Map.of());

  @Test
  void what_is_missing_is_created_as_it_has_to_be() throws Exception {
    Tenant tenant = tenant("fresh");
    try (Admin admin = tenant.admin()) {
      TopicSetup.Found found =
          new TopicSetup(admin, tenant.client(), tenant.config(partitions(3))).run();
      assertThat(found.partitions()).isEqualTo(3);
      assertThat(found.maxMessageBytes()).isEqualTo(1_048_588);

      assertThat(admin.listTopics().names().get())
          .contains(
              "fresh.schedules",
              "fresh.commands",
              "fresh.outcomes",
              "fresh.strays",
              "fresh.fires",
              "fresh.missed",
              "fresh.revisions",
              "fresh.status",
              "fresh.answers",
              "fresh.watermarks",
              "fresh.dlq");
      assertThat(setting(admin, "fresh.schedules", "cleanup.policy")).isEqualTo("compact");
      assertThat(setting(admin, "fresh.schedules", "min.compaction.lag.ms")).isEqualTo("604800000");
      assertThat(setting(admin, "fresh.schedules", "delete.retention.ms")).isEqualTo("604800000");
      assertThat(setting(admin, "fresh.schedules", "message.timestamp.type"))
          .isEqualTo("CreateTime");
      for (String topic : admin.listTopics().names().get()) {
        assertThat(topic.startsWith("fresh.") ? setting(admin, topic, "compression.type") : "")
            .as(topic)
            .isIn("uncompressed", "");
      }
      assertThat(setting(admin, "fresh.fires", "retention.ms")).isEqualTo("604800000");
      assertThat(setting(admin, "fresh.missed", "retention.ms")).isEqualTo("2592000000");
      assertThat(setting(admin, "fresh.answers", "retention.ms")).isEqualTo("86400000");
      assertThat(setting(admin, "fresh.status", "cleanup.policy")).isEqualTo("compact");
      assertThat(setting(admin, "fresh.watermarks", "message.timestamp.type"))
          .isEqualTo("LogAppendTime");
    }
  }

  @Test
  void a_second_start_finds_nothing_to_do_and_takes_the_partitions_that_are_there()
      throws Exception {
    Tenant tenant = tenant("again");
    try (Admin admin = tenant.admin()) {
      new TopicSetup(admin, tenant.client(), tenant.config(partitions(5))).run();
      assertThat(new TopicSetup(admin, tenant.client(), tenant.config(Map.of())).run().partitions())
          .isEqualTo(5);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cleanup.policy, delete, compact",
    "message.timestamp.type, LogAppendTime, CreateTime",
  })
  void a_wrong_topic_stops_the_start_with_one_sentence_that_names_the_fix(
      String key, String value, String right) throws Exception {
    Tenant tenant = tenant("wrong-" + key + "-" + value);
    Map<String, String> settings = new TreeMap<>(GOOD_SCHEDULES);
    settings.put(key, value);
    create(tenant.topics().schedules(), 2, settings);
    assertThatThrownBy(() -> Waterclock.start(tenant.config(Map.of())))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageContaining("topic " + tenant.topics().schedules() + " has " + key + "=" + value)
        .hasMessageContaining("--add-config " + key + "=" + right);
    try (Admin admin = tenant.admin()) {
      assertThat(admin.listTopics().names().get()).doesNotContain(tenant.topics().fires());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "schedules, compression.type, producer, uncompressed",
    "schedules, compression.type, zstd, uncompressed",
    "schedules, min.compaction.lag.ms, 0, at least 604800000",
    "schedules, delete.retention.ms, 86400000, at least 604800000",
    "schedules, message.timestamp.before.max.ms, 1000, at least 9223372036854775807",
    "workers, compression.type, producer, uncompressed"
  })
  void what_is_only_wanted_is_named_with_its_loss_and_does_not_stop_the_start(
      String name, String key, String value, String right) throws Exception {
    Tenant tenant = tenant("wanted-" + name + "-" + key + "-" + value);
    Map<String, String> settings = new TreeMap<>(GOOD_SCHEDULES);
    settings.put(key, value);
    String topic = tenant.topics().prefix() + "." + name;
    create(topic, 2, settings);
    WantedSetting setting = WantedSetting.of(key).orElseThrow();
    try (Admin admin = tenant.admin()) {
      TopicSetup setup = new TopicSetup(admin, tenant.client(), tenant.config(Map.of()));
      assertThat(setup.run().partitions()).isIn(2, 12);
      assertThat(setup.findings())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.kind()).isEqualTo(StartFinding.Kind.WANTED);
                assertThat(finding.text())
                    .startsWith("%s: %s (%s, not %s): ".formatted(key, topic, value, right))
                    .contains(setting.loss())
                    .contains("--entity-name " + topic + " --add-config " + key + "=")
                    .endsWith("topics.accept=" + key + " accepts that");
              });
      WaterclockConfig accepting = tenant.config(Map.of("topics.accept", " " + key));
      assertThat(new TopicSetup(admin, tenant.client(), accepting).findings())
          .singleElement()
          .extracting(StartFinding::kind)
          .isEqualTo(StartFinding.Kind.ACCEPTED);
    }
  }

  @Test
  void fires_that_are_kept_too_short_are_a_warning_and_commands_stop_the_start() throws Exception {
    Tenant tenant = tenant("short");
    create(tenant.topics().fires(), 2, kept("60000"));
    try (Admin admin = tenant.admin()) {
      assertThat(
              new TopicSetup(admin, tenant.client(), tenant.config(Map.of()))
                  .findings().stream()
                      .filter(finding -> finding.kind() == StartFinding.Kind.WANTED)
                      .map(StartFinding::text))
          .singleElement()
          .asString()
          .startsWith("retention.ms: short.fires (60000, not at least 604800000): ");
    }
    create(tenant.topics().commands(), 12, kept("60000"));
    assertThatThrownBy(() -> Waterclock.start(tenant.config(Map.of())))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageContaining(
            "short.commands has retention.ms=60000, but needs at least 604800000");
  }

  @Test
  void what_a_broker_does_not_list_is_unknown_and_has_the_size_of_Kafkas_default()
      throws Exception {
    Tenant tenant = tenant("unlisted");
    try (Admin admin = tenant.admin()) {
      WaterclockConfig config = tenant.config(partitions(1));
      new TopicSetup(admin, tenant.client(), config).run();
      TopicSetup blind =
          new TopicSetup(
              Unlisted.settings(
                  admin, "min.compaction.lag.ms", "delete.retention.ms", "max.message.bytes"),
              tenant.client(),
              config);
      TopicSetup.Found found = blind.run();
      assertThat(found.tombstonesKept()).isEqualTo(Duration.ofDays(1));
      assertThat(found.maxMessageBytes()).isEqualTo(1_048_588);
      assertThat(found.maxDeadLetterBytes()).isEqualTo(1_048_588);
      assertThat(blind.findings())
          .extracting(StartFinding::text)
          .hasSize(2)
          .allMatch(text -> text.contains("unlisted.schedules (not listed by the broker, not"));
      TopicSetup needy =
          new TopicSetup(Unlisted.settings(admin, "cleanup.policy"), tenant.client(), config);
      assertThatThrownBy(needy::run)
          .isInstanceOf(TopicException.class)
          .hasMessageContaining(
              "the brokers do not list cleanup.policy of topic unlisted.schedules");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = MetadataVersion.class,
      names = {"IBP_3_5_IV2", "IBP_3_6_IV2", "IBP_3_7_IV0", "IBP_4_0_IV0"})
  void brokers_that_are_older_than_Kafka_3_7_are_refused_before_a_topic_is_created(
      MetadataVersion newest) throws Exception {
    Tenant tenant = tenant("old-" + newest.featureLevel());
    try (Admin admin = tenant.admin()) {
      TopicSetup setup =
          new TopicSetup(
              Unlisted.level(admin, newest.featureLevel()),
              tenant.client(),
              tenant.config(partitions(1)));
      if (newest.isAtLeast(MetadataVersion.IBP_3_7_IV0)) {
        assertThat(setup.run().partitions()).isOne();
        return;
      }
      assertThatThrownBy(setup::run)
          .isInstanceOf(TopicException.class)
          .hasMessageNotContaining("\n")
          .hasMessageContaining("older than Kafka 3.7", "Waterclock needs 3.7 or later");
      assertThat(admin.listTopics().names().get())
          .noneMatch(name -> name.startsWith(tenant.prefix() + "."));
    }
  }

  @Test
  void a_scheduler_starts_without_a_finding_on_topics_made_by_the_documented_table()
      throws Exception {
    Tenant tenant = tenant("table");
    WaterclockConfig config =
        tenant.config(
            Map.of(
                "targets.allow",
                "orders.*",
                "limits",
                "true",
                "partitions",
                "2",
                "main.consumer.session.timeout.ms",
                "6000",
                "main.consumer.heartbeat.interval.ms",
                "100"));
    Map<String, Map<String, String>> table = TopicTable.read(config);
    Map<String, Map<String, String>> ours = new TreeMap<>();
    TopicSetup.toCreate(config).forEach(topic -> ours.put(topic.name(), topic.configs()));
    assertThat(table).isEqualTo(ours);
    for (NewTopic topic : TopicSetup.toCreate(config)) {
      create(topic.name(), topic.numPartitions(), table.get(topic.name()));
    }
    assertThat(Waterclock.preflight(config)).isEmpty();
    try (Waterclock scheduler = Waterclock.start(config)) {
      await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
    }
  }

  @Test
  void the_documented_table_says_what_is_needed_and_what_is_lost() throws Exception {
    WaterclockConfig nothingWanted =
        tenant("needs")
            .config(
                Map.of(
                    "targets.allow",
                    "orders.*",
                    "limits",
                    "true",
                    "topics.accept",
                    WantedSetting.text(List.of(WantedSetting.values()))));
    Map<String, Map<String, String>> needed = new TreeMap<>();
    TopicSetup.toCreate(nothingWanted).forEach(topic -> needed.put(topic.name(), topic.configs()));
    assertThat(TopicTable.needed(nothingWanted)).isEqualTo(needed);
    assertThat(TopicTable.losses())
        .isEqualTo(
            Arrays.stream(WantedSetting.values())
                .collect(Collectors.toMap(WantedSetting::key, WantedSetting::loss)));
  }

  @Test
  void fires_that_are_kept_for_longer_or_for_ever_are_fine() throws Exception {
    Tenant tenant = tenant("long");
    create(tenant.topics().fires(), 2, kept("-1"));
    try (Admin admin = tenant.admin()) {
      assertThat(
              new TopicSetup(admin, tenant.client(), tenant.config(partitions(2)))
                  .run()
                  .partitions())
          .isEqualTo(2);
    }
  }

  @Test
  void another_number_of_partitions_than_configured_stops_the_start() throws Exception {
    Tenant tenant = tenant("count");
    create(tenant.topics().schedules(), 3, GOOD_SCHEDULES);
    assertThatThrownBy(() -> Waterclock.start(tenant.config(partitions(12))))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageContaining("count.schedules has 3 partitions, but partitions=12 is configured");
  }

  @Test
  void calendars_in_several_partitions_stop_the_start_and_fires_in_several_do_not()
      throws Exception {
    Tenant tenant = tenant("wide");
    Map<String, String> settings = new TreeMap<>(GOOD_SCHEDULES);
    settings.put("message.timestamp.type", "LogAppendTime");
    create(tenant.topics().calendars(), 3, settings);
    create(tenant.topics().fires(), 5, kept("-1"));
    assertThatThrownBy(() -> Waterclock.start(tenant.config(Map.of())))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageContaining("topic wide.calendars has 3 partitions, but needs 1")
        .hasMessageContaining("kafka-topics.sh --delete --topic wide.calendars");
  }

  @ParameterizedTest
  @CsvSource({"2, --alter --topic narrow2.commands --partitions 3", "5, --delete --topic narrow5"})
  void commands_in_other_partitions_than_their_schedules_stop_the_start(int count, String mend)
      throws Exception {
    Tenant tenant = tenant("narrow" + count);
    create(tenant.topics().schedules(), 3, GOOD_SCHEDULES);
    create(tenant.topics().commands(), count, Map.of("compression.type", "uncompressed"));
    assertThatThrownBy(() -> Waterclock.start(tenant.config(Map.of())))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageContaining(
            ".commands has " + count + " partitions, but needs 3 as the schedules have: ")
        .hasMessageContaining(mend);
  }

  @Test
  void the_least_topic_says_how_large_a_definition_may_be() throws Exception {
    Tenant tenant = tenant("sizes");
    create(tenant.topics().schedules(), 1, taking(6_000_000, GOOD_SCHEDULES));
    create(tenant.topics().fires(), 1, taking(5_000_000, kept("-1")));
    create(tenant.topics().revisions(), 1, taking(3_000_000, kept("-1")));
    create(tenant.topics().dlq(), 1, taking(2_000_000, kept("-1")));
    TopicSetup.Found found = sizes(tenant);
    assertThat(found.maxMessageBytes()).isEqualTo(3_000_000);
    assertThat(found.maxStrayBytes()).isEqualTo(1_048_588);
    assertThat(found.maxDeadLetterBytes()).isEqualTo(2_000_000);
  }

  @Test
  void a_changelog_that_is_there_and_was_not_raised_with_the_topics_is_the_least()
      throws Exception {
    Tenant tenant = tenant("grown");
    create(tenant.topics().schedules(), 1, taking(1_500_000, GOOD_SCHEDULES));
    create(tenant.topics().fires(), 1, taking(5_000_000, kept("-1")));
    create(tenant.topics().revisions(), 1, taking(5_000_000, kept("-1")));
    int least = 1_500_000;
    assertThat(sizes(tenant).maxMessageBytes()).isEqualTo(least);
    for (String store : List.of("schedules", "progress", "commands")) {
      least -= 100_000;
      create(
          tenant.applicationId() + "-" + store + "-changelog",
          1,
          taking(least, Map.of("cleanup.policy", "compact")));
      assertThat(sizes(tenant).maxMessageBytes()).isEqualTo(least);
    }
    create(
        tenant.applicationId() + "-limiter-limiter-changelog",
        1,
        taking(1_000_000, Map.of("cleanup.policy", "compact")));
    assertThat(sizes(tenant).maxMessageBytes()).as("without limits").isEqualTo(least);
    assertThat(sizes(tenant, Map.of("limits", "true")).maxMessageBytes()).isEqualTo(1_000_000);
  }

  @Test
  void a_broker_that_nobody_answers_for_is_one_sentence() throws Exception {
    int port = Ports.free();
    Map<String, String> impatient =
        Map.of("default.api.timeout.ms", "2000", "request.timeout.ms", "2000");
    WaterclockConfig config = new Tenant("127.0.0.1:" + port, "nowhere", dir).config(impatient);
    assertThatThrownBy(() -> Waterclock.start(config))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageContaining("no answer from bootstrap.servers=127.0.0.1:" + port);
  }

  @Test
  void a_host_that_does_not_exist_is_one_sentence() {
    WaterclockConfig unknown =
        new Tenant("no-such-host.invalid:9092", "nowhere", dir).config(Map.of());
    assertThatThrownBy(() -> Waterclock.start(unknown))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageContaining("no-such-host.invalid:9092");
  }

  private static Tenant tenant(String prefix) {
    return new Tenant(kafka.bootstrapServers(), prefix, dir);
  }

  private static Map<String, String> partitions(int count) {
    return Map.of("partitions", Integer.toString(count));
  }

  private static TopicSetup.Found sizes(Tenant tenant) {
    return sizes(tenant, Map.of());
  }

  private static TopicSetup.Found sizes(Tenant tenant, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("partitions", "1");
    try (Admin admin = tenant.admin()) {
      return new TopicSetup(admin, tenant.client(), tenant.config(all)).run();
    }
  }

  private static Map<String, String> kept(String ms) {
    return Map.of("compression.type", "uncompressed", "retention.ms", ms);
  }

  private static Map<String, String> taking(int bytes, Map<String, String> settings) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put("max.message.bytes", Integer.toString(bytes));
    return more;
  }

  private static void create(String name, int partitions, Map<String, String> settings)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
      admin.createTopics(List.of(topic.configs(settings))).all().get();
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> admin.listTopics().names().get().contains(name));
    }
  }

  private static String setting(Admin admin, String topic, String key)
      throws ExecutionException, InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    for (Config config : admin.describeConfigs(List.of(resource)).all().get().values()) {
      return config.get(key).value();
    }
    throw new IllegalStateException(topic + " shows no settings");
  }
}
