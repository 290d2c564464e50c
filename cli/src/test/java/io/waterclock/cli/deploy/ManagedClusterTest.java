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
import io.waterclock.cli.RunProcess;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.brokers.MemoryTopic;
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
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
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
@Tag("all")
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

  @BeforeAll
  static void start() {
    confluent =
        EmbeddedKafka.start(
            dir.resolve("confluent"),
            0,
            SettingsPolicy.of("test.refused", NOT_EDITABLE_IN_CONFLUENT_CLOUD));
    coordinates(confluent);
  }

  /**
   * Waits for the topic of offsets, which a broker creates when it is first asked about a group.
   */
  private static void coordinates(EmbeddedKafka kafka) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      await()
          .atMost(BOUND)
          .ignoreExceptions()
          .until(() -> admin.listConsumerGroupOffsets("none").all().get() != null);
    }
  }

  @AfterAll
  static void stop() {
    confluent.close();
  }

  @Test
  void a_scheduler_runs_where_compression_is_the_providers() throws Exception {
    live(
        confluent,
        "confluent",
        "compression.type (\"Config property '[compression.type]' is not yours\")",
        "compression.type",
        1);
  }

  @Test
  void a_scheduler_runs_with_the_seven_settings_of_MSK_Serverless() throws Exception {
    try (EmbeddedKafka msk =
        EmbeddedKafka.start(
            dir.resolve("msk"), 0, SettingsPolicy.of("test.allowed", OF_MSK_SERVERLESS))) {
      coordinates(msk);
      assertThatThrownBy(() -> start(msk, "partly", Map.of("topics.accept", "segment.bytes")))
          .as("the sentence names what is accepted already, too")
          .isInstanceOf(TopicException.class)
          .hasMessageNotContaining("\n")
          .hasMessageContaining("topics.accept=" + MSK_ACCEPTS + " starts without: ");
      assertThat(topics(msk, "partly")).isEmpty();
      // no broker refuses old timestamps by default
      live(msk, "msk", "min.compaction.lag.ms (\"Config property ", MSK_ACCEPTS, 3);
      again(msk, "msk", MSK_ACCEPTS);
    }
  }

  @Test
  void a_topic_that_is_gone_is_created_again_where_compression_is_the_providers() throws Exception {
    String accept = "compression.type";
    try (Waterclock first = start(confluent, "again", Map.of("topics.accept", accept))) {
      await().atMost(BOUND).until(first::isReady);
    }
    again(confluent, "again", accept);
  }

  /**
   * @param refused what the sentence says about the first start
   * @param accept what it says that a start needs
   * @param unmet how many of the accepted settings the topics do not have
   */
  private static void live(
      EmbeddedKafka kafka, String prefix, String refused, String accept, int unmet)
      throws Exception {
    assertThat(refusal(kafka, prefix))
        .startsWith(
            "waterclock: the cluster at " + kafka.bootstrapServers() + " refuses to create ")
        .contains(refused)
        .contains(": topics.accept=" + accept + " starts without: ")
        .doesNotContain("kafka-configs.sh");
    assertThat(topics(kafka, prefix)).isEmpty();
    String[] preflight = {
      "doctor", "--preflight", "--accept", accept, "--property", "partitions=2", "--json"
    };
    CliRun before = cli(kafka, prefix, preflight);
    assertThat(before.exitCode()).as(before.out() + before.err()).isZero();
    assertThat(about(before, "missing")).hasSize(13);
    assertThat(topics(kafka, prefix)).isEmpty();
    try (RunProcess scheduler = run(kafka, prefix, "topics.accept=" + accept, "partitions=2")) {
      scheduler.awaitReady();
      assertThat(cli(kafka, prefix, "put", "a", "--every", "1s").exitCode()).isZero();
      await()
          .atMost(BOUND)
          .until(() -> cli(kafka, prefix, "fires", "--schedule", "a").lines().size() > 2);
      remember(kafka, prefix);
      assertThat(scheduler.terminate()).isZero();
      assertThat(scheduler.lines()).noneMatch(line -> line.contains(" WARN "));
      assertThat(scheduler.lines().stream().filter(line -> line.contains("topics.accept accepts")))
          .singleElement()
          .asString()
          .contains(accept.split(",")[0]);
    }
    CliRun audit = cli(kafka, prefix, "audit");
    assertThat(audit.exitCode()).as(audit.out() + audit.err()).isZero();
    CliRun after = cli(kafka, prefix, preflight);
    assertThat(after.exitCode()).as(after.out() + after.err()).isZero();
    assertThat(about(after, "accepted")).hasSize(unmet);
    assertThat(about(after, "missing")).isEmpty();
  }

  private static void again(EmbeddedKafka kafka, String prefix, String accept) throws Exception {
    reset(kafka, prefix, accept);
    try (Waterclock again =
        start(kafka, prefix, Map.of("topics.accept", accept, "import.allow", "*"))) {
      await().atMost(BOUND).until(again::isReady);
    }
  }

  /** The only line of a start that ends. */
  private static String refusal(EmbeddedKafka kafka, String prefix) throws Exception {
    try (RunProcess process = run(kafka, prefix)) {
      assertThat(process.awaitExit()).isEqualTo(1);
      assertThat(process.lines()).hasSize(1);
      return process.lines().get(0);
    }
  }

  /** What is lost where compression is the provider's, and the way out. */
  @Test
  void a_batch_that_unpacks_to_more_than_the_heap_ends_each_start_until_it_is_stepped_over()
      throws Exception {
    String[] settings = {"topics.accept=compression.type", "partitions=1"};
    String named = "packed.schedules-0@";
    try (RunProcess scheduler = run(confluent, "packed", settings).awaitReady()) {
      assertThat(cli(confluent, "packed", "put", "a", "--every", "1s").exitCode()).isZero();
      await()
          .atMost(BOUND)
          .until(() -> !cli(confluent, "packed", "fires", "--schedule", "a").lines().isEmpty());
      pack("packed.schedules", 150 << 20);
      assertThat(scheduler.awaitExit()).isNotZero();
    }
    try (RunProcess again = run(confluent, "packed", settings)) {
      assertThat(again.awaitExit()).isNotZero();
    }
    AtomicReference<CliRun> asked = new AtomicReference<>();
    await()
        .atMost(BOUND)
        .until(
            () -> {
              asked.set(cli(confluent, "packed", "set-aside", "--unfetched", named + "999"));
              return asked.get().err().contains("the next record that the scheduler reads is ");
            });
    String place = asked.get().err().replaceFirst("(?s).* reads is (\\S+),.*", "$1");
    assertThat(place).startsWith(named);
    CliRun moved = cli(confluent, "packed", "set-aside", "--unfetched", place);
    assertThat(moved.exitCode()).as(moved.err()).isZero();
    try (RunProcess scheduler = run(confluent, "packed", settings).awaitReady()) {
      CliRun put = cli(confluent, "packed", "put", "b", "--every", "1s");
      assertThat(put.out()).as(put.err()).contains("b accepted");
      assertThat(scheduler.terminate()).isZero();
    }
  }

  /** The broker keeps a few kilobytes as they come. */
  private static void pack(String topic, int zeros) throws Exception {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            confluent.bootstrapServers(),
            "compression.type",
            "zstd",
            "max.request.size",
            1 << 30,
            "buffer.memory",
            1L << 30);
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, "bomb", new byte[zeros])).get();
    }
  }

  /**
   * Creates a topic that somebody has deleted, and the state anew. Only its compression is a
   * setting that a cluster here refuses for it.
   */
  private static void reset(EmbeddedKafka kafka, String prefix, String accept) throws Exception {
    delete(kafka, prefix + ".dlq");
    String backup = dir.resolve(prefix + ".jsonl").toString();
    String from = "--backup";
    if (accept.equals("compression.type")) {
      CliRun refused = cli(kafka, prefix, "reset", "--yes", "--backup", backup);
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).contains("topics.accept=" + accept, "nothing is lost");
      from = "--state";
    }
    CliRun reset = cli(kafka, prefix, "reset", "--yes", from, backup, "--accept", accept);
    assertThat(reset.exitCode()).as(reset.out() + reset.err()).isZero();
    assertThat(topics(kafka, prefix)).contains(prefix + ".dlq");
  }

  private static void delete(EmbeddedKafka kafka, String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.deleteTopics(List.of(topic)).all().get();
      await().atMost(BOUND).until(() -> !admin.listTopics().names().get().contains(topic));
    }
  }

  /** A worker creates its topic with what the cluster allows. */
  private static void remember(EmbeddedKafka kafka, String prefix) throws Exception {
    List<ILoggingEvent> log = new ArrayList<>();
    logged(
        MemoryTopic.class,
        log,
        () -> {
          try (FireWorker worker =
              FireWorker.builder(kafka.bootstrapServers(), "remembering")
                  .prefix(prefix)
                  .onAny(run -> run.leaveCheckpoint(new byte[] {1}))
                  .start()) {
            await().atMost(BOUND).until(() -> topics(kafka, prefix).contains(prefix + ".workers"));
            return worker.failure();
          }
        });
    boolean isConfluent = kafka == confluent;
    assertThat(settings(kafka, prefix + ".workers"))
        .containsEntry("cleanup.policy", "compact")
        .containsEntry("compression.type", isConfluent ? "producer" : "uncompressed")
        .containsEntry("segment.bytes", isConfluent ? "16777216" : "1073741824");
    assertThat(log)
        .singleElement()
        .extracting(ILoggingEvent::getFormattedMessage)
        .asString()
        .startsWith("The cluster refuses to create " + prefix + ".workers with ")
        .contains(isConfluent ? "with compression.type (\"" : "with segment.bytes (\"")
        .contains(isConfluent ? "hostile producer" : "at each takeover");
  }

  @Test
  void what_is_only_wanted_is_one_warning_a_setting_without_a_remedy_that_the_cluster_refuses()
      throws Exception {
    create(
        confluent,
        TopicSetup.toCreate(
            config(confluent, "bare", Map.of("topics.accept", MSK_ACCEPTS + ",compression.type"))));
    List<ILoggingEvent> log = new ArrayList<>();
    try (Waterclock scheduler =
        logged(TopicSetup.class, log, () -> start(confluent, "bare", Map.of()))) {
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

  /** Does something, and notes what a class logs meanwhile. */
  private static <T> T logged(Class<?> source, List<ILoggingEvent> log, Callable<T> work)
      throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(source);
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    Level level = logger.getLevel();
    appender.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
    try {
      return work.call();
    } finally {
      logger.detachAppender(appender);
      logger.setLevel(level);
      log.addAll(appender.list);
    }
  }

  private static RunProcess run(EmbeddedKafka kafka, String prefix, String... settings)
      throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of("--bootstrap-server", kafka.bootstrapServers(), "--prefix", prefix));
    options.addAll(List.of("--set", "state.dir=" + dir.resolve("state-" + prefix)));
    for (String setting : settings) {
      options.addAll(List.of("--set", setting));
    }
    return RunProcess.start(dir, options.toArray(String[]::new));
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
                Stream.of(
                    "--bootstrap-server",
                    kafka.bootstrapServers(),
                    "--prefix",
                    prefix,
                    "--timeout",
                    "2m"))
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
      List<String> names = topics.stream().map(NewTopic::name).toList();
      await()
          .atMost(BOUND)
          .ignoreExceptions()
          .until(() -> admin.describeTopics(names).allTopicNames().get().size() == names.size());
    }
  }

  private static List<String> topics(EmbeddedKafka kafka, String prefix) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return admin.listTopics().names().get().stream()
          .filter(topic -> topic.startsWith(prefix))
          .toList();
    }
  }

  private static Map<String, String> settings(EmbeddedKafka kafka, String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return admin.describeConfigs(List.of(resource)).all().get().get(resource).entries().stream()
          .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }
  }
}
