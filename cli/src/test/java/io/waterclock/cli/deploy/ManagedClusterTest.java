package io.waterclock.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A scheduler on brokers that refuse settings of topics, as Confluent Cloud and MSK Serverless do:
 * it runs with what docs/platforms.md says, and says so without that.
 */
@Timeout(600)
final class ManagedClusterTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What Confluent's reference of topic settings calls not editable. */
  private static final Set<String> NOT_EDITABLE_IN_CONFLUENT_CLOUD =
      Set.of(
          "compression.type",
          "file.delete.delay.ms",
          "flush.messages",
          "flush.ms",
          "index.interval.bytes",
          "min.cleanable.dirty.ratio",
          "preallocate",
          "segment.index.bytes",
          "segment.jitter.ms",
          "unclean.leader.election.enable");

  /** What Amazon's guide lists for MSK Serverless. */
  private static final Set<String> OF_MSK_SERVERLESS =
      Set.of(
          "cleanup.policy",
          "compression.type",
          "max.message.bytes",
          "message.timestamp.difference.max.ms",
          "message.timestamp.type",
          "retention.bytes",
          "retention.ms");

  private static final String MSK_ACCEPTS =
      "delete.retention.ms,message.timestamp.before.max.ms,min.compaction.lag.ms,segment.bytes";

  @TempDir static Path dir;
  private static EmbeddedKafka confluent;
  private static EmbeddedKafka msk;

  @BeforeAll
  static void start() {
    confluent =
        EmbeddedKafka.start(
            dir.resolve("confluent"),
            0,
            SettingsPolicy.of("test.refused", NOT_EDITABLE_IN_CONFLUENT_CLOUD));
    msk =
        EmbeddedKafka.start(
            dir.resolve("msk"), 0, SettingsPolicy.of("test.allowed", OF_MSK_SERVERLESS));
  }

  @AfterAll
  static void stop() {
    confluent.close();
    msk.close();
  }

  @Test
  void a_refused_setting_stops_the_start_with_the_sentence_that_lets_it_run() throws Exception {
    assertThatThrownBy(() -> start(confluent, "refused", Map.of()))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageStartingWith("the cluster at " + confluent.bootstrapServers())
        .hasMessageContaining(
            "compression.type (\"Config property '[compression.type]' is not yours\")")
        .hasMessageContaining(": topics.accept=compression.type starts without: ")
        .hasMessageNotContaining("kafka-configs.sh");
    assertThatThrownBy(() -> start(msk, "refused", Map.of("topics.accept", "segment.bytes")))
        .isInstanceOf(TopicException.class)
        .hasMessageNotContaining("\n")
        .hasMessageContaining("topics.accept=" + MSK_ACCEPTS + " starts without: ");
    assertThat(topics(confluent, "refused")).isEmpty();
    assertThat(topics(msk, "refused")).isEmpty();
  }

  @Test
  void a_scheduler_runs_where_compression_is_the_providers() throws Exception {
    live(confluent, "confluent", "compression.type", 1);
  }

  @Test
  void a_scheduler_runs_with_the_seven_settings_of_MSK_Serverless() throws Exception {
    live(msk, "msk", MSK_ACCEPTS, 3); // no broker refuses old timestamps by default
  }

  /**
   * @param unmet how many of the accepted settings the topics do not have
   */
  private static void live(EmbeddedKafka kafka, String prefix, String accept, int unmet)
      throws Exception {
    String[] preflight = {
      "doctor", "--preflight", "--accept", accept, "--property", "partitions=2", "--json"
    };
    CliRun before = cli(kafka, prefix, preflight);
    assertThat(before.exitCode()).as(before.out() + before.err()).isZero();
    assertThat(about(before, "missing")).hasSize(12);
    assertThat(topics(kafka, prefix)).isEmpty();
    Map<String, String> settings = Map.of("topics.accept", accept, "partitions", "2");
    List<ILoggingEvent> log = new ArrayList<>();
    try (Waterclock scheduler = logged(log, () -> start(kafka, prefix, settings))) {
      await().atMost(BOUND).until(scheduler::isReady);
      assertThat(cli(kafka, prefix, "put", "a", "--every", "1s").exitCode()).isZero();
      await()
          .atMost(BOUND)
          .until(() -> cli(kafka, prefix, "fires", "--schedule", "a").lines().size() > 2);
    }
    assertThat(log).noneMatch(event -> event.getLevel() == Level.WARN);
    assertThat(log.stream().filter(event -> event.toString().contains("topics.accept accepts")))
        .singleElement()
        .satisfies(event -> assertThat(event.toString()).contains(accept.split(",")[0]));
    CliRun audit = cli(kafka, prefix, "audit");
    assertThat(audit.exitCode()).as(audit.out() + audit.err()).isZero();
    CliRun after = cli(kafka, prefix, preflight);
    assertThat(after.exitCode()).as(after.out() + after.err()).isZero();
    assertThat(about(after, "accepted")).hasSize(unmet);
    assertThat(about(after, "missing")).isEmpty();
    try (Waterclock again = start(kafka, prefix, settings)) {
      await().atMost(BOUND).until(again::isReady);
    }
  }

  @Test
  void what_is_only_wanted_is_one_warning_a_setting_without_a_remedy_that_the_cluster_refuses()
      throws Exception {
    create(
        confluent,
        TopicSetup.toCreate(
            config(confluent, "bare", Map.of("topics.accept", MSK_ACCEPTS + ",compression.type"))));
    List<ILoggingEvent> log = new ArrayList<>();
    try (Waterclock scheduler = logged(log, () -> start(confluent, "bare", Map.of()))) {
      await().atMost(BOUND).until(scheduler::isReady);
    }
    List<String> warnings =
        log.stream()
            .filter(event -> event.getLevel() == Level.WARN)
            .map(ILoggingEvent::getFormattedMessage)
            .toList();
    assertThat(warnings).hasSize(4);
    assertThat(warnings)
        .filteredOn(line -> line.contains(": compression.type: "))
        .singleElement()
        .asString()
        .contains("bare.schedules (producer, not uncompressed), bare.calendars (producer")
        .contains("hostile producer")
        .contains("the cluster refuses to alter it (\"Config property")
        .contains("topics.accept=compression.type accepts that")
        .doesNotContain("kafka-configs.sh");
    assertThat(warnings)
        .filteredOn(line -> line.contains(": min.compaction.lag.ms: "))
        .singleElement()
        .asString()
        .contains("bare.schedules (0, not at least 604800000), bare.calendars (0")
        .contains(
            "--entity-name TOPIC --add-config min.compaction.lag.ms=604800000 mends it, and"
                + " topics.accept=min.compaction.lag.ms accepts that");
    CliRun preflight = cli(confluent, "bare", "doctor", "--preflight", "--json");
    assertThat(preflight.exitCode()).isZero();
    assertThat(about(preflight, "wanted")).hasSize(4);
  }

  @Test
  @Tag("all")
  void a_needed_setting_that_is_refused_has_no_way_around() throws Exception {
    Set<String> most = new TreeSet<>(OF_MSK_SERVERLESS);
    most.remove("message.timestamp.type");
    try (EmbeddedKafka strict =
        EmbeddedKafka.start(dir.resolve("strict"), 0, SettingsPolicy.of("test.allowed", most))) {
      CliRun preflight =
          cli(strict, "strict", "doctor", "--preflight", "--accept", MSK_ACCEPTS, "--json");
      assertThat(preflight.exitCode()).isEqualTo(1);
      assertThat(about(preflight, "refused"))
          .singleElement()
          .asString()
          .contains(
              "strict.schedules", "with its message.timestamp.type, which the scheduler needs")
          .doesNotContain("topics.accept");
      NewTopic wrong =
          new NewTopic("strict.commands", Optional.of(12), Optional.empty())
              .configs(Map.of("compression.type", "uncompressed"));
      create(strict, List.of(wrong));
      assertThatThrownBy(() -> start(strict, "strict", Map.of("topics.accept", MSK_ACCEPTS)))
          .isInstanceOf(TopicException.class);
      assertThat(topics(strict, "strict")).containsExactly("strict.commands");
    }
  }

  @Test
  void preflight_names_wrong_settings_and_wrong_options() throws Exception {
    create(
        confluent,
        List.of(
            new NewTopic("wrong.fires", Optional.of(1), Optional.empty())
                .configs(Map.of("cleanup.policy", "compact"))));
    CliRun run = cli(confluent, "wrong", "doctor", "--preflight", "--accept", "compression.type");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .anyMatch(
            line ->
                line.startsWith("WRONG  needed: topic wrong.fires has cleanup.policy=compact")
                    && line.contains("--add-config cleanup.policy=delete"))
        .anyMatch(line -> line.startsWith("       missing: topic wrong.schedules"));
    CliRun usage = cli(confluent, "wrong", "doctor", "--preflight", "a");
    assertThat(usage.exitCode()).isEqualTo(2);
    CliRun bad = cli(confluent, "wrong", "doctor", "--preflight", "--accept", "cleanup.policy");
    assertThat(bad.exitCode()).isEqualTo(1);
    assertThat(bad.err())
        .contains("topics.accept: \"cleanup.policy\" names no setting of topics")
        .contains("compression.type,delete.retention.ms,");
  }

  private interface Starting {
    Waterclock start();
  }

  private static Waterclock logged(List<ILoggingEvent> log, Starting starting) {
    Logger logger = (Logger) LoggerFactory.getLogger(TopicSetup.class);
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    Level level = logger.getLevel();
    appender.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
    try {
      return starting.start();
    } finally {
      logger.detachAppender(appender);
      logger.setLevel(level);
      log.addAll(appender.list);
    }
  }

  private static Waterclock start(EmbeddedKafka kafka, String prefix, Map<String, String> more) {
    return Waterclock.start(config(kafka, prefix, more));
  }

  private static WaterclockConfig config(
      EmbeddedKafka kafka, String prefix, Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("prefix", prefix);
    settings.put("health.port", "off");
    settings.put("state.dir", dir.resolve("state-" + prefix).toString());
    return WaterclockConfig.parse(settings);
  }

  private static CliRun cli(EmbeddedKafka kafka, String prefix, String... command) {
    return CliRun.today(
        Stream.concat(
                Arrays.stream(command),
                Stream.of("--bootstrap-server", kafka.bootstrapServers(), "--prefix", prefix))
            .toArray(String[]::new));
  }

  private static List<String> about(CliRun run, String kind) throws IOException {
    List<String> texts = new ArrayList<>();
    for (String line : run.lines()) {
      JsonNode symptom = JSON.readTree(line);
      if (symptom.path("about").asText().equals(kind)) {
        texts.add(symptom.path("text").asText());
      }
    }
    return texts;
  }

  private static void create(EmbeddedKafka kafka, List<NewTopic> topics) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(topics).all().get();
    }
  }

  private static List<String> topics(EmbeddedKafka kafka, String prefix) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return admin.listTopics().names().get().stream()
          .filter(topic -> topic.startsWith(prefix))
          .toList();
    }
  }
}
