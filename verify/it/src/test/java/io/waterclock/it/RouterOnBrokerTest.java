package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Verdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Fires on their way to targets that vanish, refuse and come back, and through kills. */
@Timeout(600)
final class RouterOnBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final long SEED = Long.getLong("waterclock.seed", 1);

  @TempDir static Path dir;

  @RegisterExtension
  static final TestBroker kafka =
      new TestBroker(
          Map.of(
              "group.min.session.timeout.ms", "500",
              "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200",
              "auto.create.topics.enable", "false"));

  @Test
  void a_target_must_be_allowed_and_there_and_take_the_largest_fire() throws Exception {
    Tenant tenant = tenant("accept");
    create(tenant, "accept.small", Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "3000"));
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)))) {
      await().atMost(BOUND).until(scheduler::isReady);
      ask(tenant, "forbidden", to("other"));
      ask(tenant, "own", to("accept.fires"));
      ask(tenant, "missing", to("accept.created"));
      ask(
          tenant,
          "large",
          to("accept.small").replace("}}", "},\"payload\":\"" + "x".repeat(3000) + "\"}"));
      ask(tenant, "good", to("accept.small"));
      Map<String, Answer> answers = answers(tenant, 5);
      assertThat(problem(answers, "forbidden"))
          .isEqualTo("target.topic: \"other\" is not in targets.allow, which has accept.*");
      assertThat(problem(answers, "own"))
          .isEqualTo("target.topic: \"accept.fires\" is a topic of the scheduler itself");
      assertThat(problem(answers, "missing"))
          .startsWith("target.topic: there is no topic \"accept.created\"")
          .endsWith("kafka-topics.sh --create --topic accept.created");
      assertThat(problem(answers, "large"))
          .startsWith("payload: a fire of this schedule could take 4")
          .contains("more than the 3000 that \"accept.small\" accepts");
      assertThat(verdict(answers, "good")).isEqualTo(Verdict.ACCEPTED);

      create(tenant, "accept.created", Map.of());
      ask(tenant, "created", to("accept.created"));
      assertThat(verdict(answers(tenant, 6), "created")).isEqualTo(Verdict.ACCEPTED);
    }
  }

  /** A compacted topic refuses the record without a key; the other one is in the same batch. */
  @Test
  void a_record_that_its_target_refuses_takes_no_other_one_of_its_batch_along() throws Exception {
    Tenant tenant = tenant("batch");
    create(tenant, "batch.target", Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact"));
    create(tenant, "batch.other", Map.of());
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)));
        Producing later = new Producing(tenant.bootstrapServers(), tenant.topics().later())) {
      awaitThat(scheduler::isReady);
      Instant due = Instant.now().plusSeconds(5);
      Map<String, String> headers =
          Map.of(HeaderNames.AT, due.toString(), HeaderNames.TARGET, "batch.target");
      for (int i = 0; i < 4; i++) {
        later.send("k" + i, "v", headers);
        later.send(Optional.empty(), Optional.of(new byte[] {1}), headers);
      }
      awaitThat(() -> deadLetters(tenant).size() == 4);
      awaitThat(() -> records("batch.target").size() == 4);
      later.send("k", "v", Map.of(HeaderNames.IN, "0s", HeaderNames.TARGET, "batch.other"));
      awaitThat(() -> records("batch.other").size() == 1);
    }
  }

  /** While stream threads may die. */
  private static void awaitThat(Callable<Boolean> condition) {
    await().dontCatchUncaughtExceptions().atMost(BOUND).until(condition);
  }

  /** The cancellations lie behind more definitions than are read by the due instant. */
  @Test
  @Tag("all")
  void delayed_messages_that_were_cancelled_in_time_are_not_delivered() throws Exception {
    Tenant tenant = tenant("cancel");
    create(tenant, "cancel.messages", Map.of());
    String attempt;
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)));
        Producing schedules = tenant.schedules()) {
      await().atMost(BOUND).until(scheduler::isReady);
      Duration ahead = Duration.ofSeconds(1);
      boolean isInTime;
      do {
        ahead = ahead.multipliedBy(2);
        attempt = ahead + "/";
        Instant due = Instant.now().plus(ahead);
        List<String> cancelled =
            IntStream.range(0, 300).mapToObj(Integer::toString).map(attempt::concat).toList();
        cancelled.forEach(id -> schedules.send(id, once(due, "cancel.messages"), Map.of()));
        schedules.put(attempt + "kept", once(due.plusMillis(1), "cancel.messages"));
        schedules.fill(4_000);
        schedules.delete(cancelled);
        isInTime = Instant.now().isBefore(due);
      } while (!isInTime && ahead.compareTo(BOUND) < 0);
      assertThat(isInTime).isTrue();
      String kept = attempt + "kept";
      await()
          .pollInterval(Duration.ofSeconds(1))
          .atMost(BOUND)
          .until(
              () ->
                  fireKeys(records("cancel.messages")).stream()
                      .anyMatch(key -> key.startsWith(kept)));
    }
    String last = attempt;
    assertThat(fireKeys(records("cancel.messages")))
        .filteredOn(key -> key.startsWith(last))
        .hasSize(1);
  }

  @Test
  @Tag("all")
  void fires_for_a_target_that_vanishes_are_dead_letters_until_it_is_back_and_others_go_on()
      throws Exception {
    Tenant tenant = tenant("vanish");
    create(tenant, "vanish.kept", Map.of());
    create(tenant, "vanish.gone", Map.of());
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)));
        Producing schedules = tenant.schedules()) {
      schedules.put("kept", every200ms("vanish.kept"));
      schedules.put("gone", every200ms("vanish.gone"));
      awaitMore("vanish.kept", 3);
      awaitMore("vanish.gone", 3);

      delete(tenant, "vanish.gone");
      await().atMost(BOUND).until(() -> deadLetters(tenant).size() >= 3);
      int keptMeanwhile = records("vanish.kept").size();
      await().atMost(BOUND).until(() -> records("vanish.kept").size() > keptMeanwhile + 3);
      assertThat(scheduler.isReady()).isTrue();

      create(tenant, "vanish.gone", Map.of());
      awaitMore("vanish.gone", 3);
      end(tenant, "kept", "vanish.kept", "gone");
    }
    List<TopicReader.Entry<byte[]>> letters = deadLetters(tenant);
    assertThat(letters)
        .extracting(letter -> letter.headers().get(HeaderNames.ERROR))
        .containsOnly(
            "target \"vanish.gone\": there is no topic \"vanish.gone\", or none that the scheduler"
                + " may see");
    assertThat(letters)
        .extracting(letter -> letter.headers().get(HeaderNames.ORIGIN_TOPIC))
        .containsOnly("vanish.fires");
    assertThat(fireKeys(records("vanish.kept"))).isEqualTo(fired(tenant, "kept"));
    List<String> gone = fired(tenant, "gone");
    List<String> after =
        Stream.concat(keys(letters).stream(), fireKeys(records("vanish.gone")).stream())
            .sorted()
            .toList();
    assertThat(after)
        .isEqualTo(gone.subList(gone.indexOf(after.get(0)), gone.size()))
        .doesNotHaveDuplicates();
  }

  @Test
  @Tag("all")
  void a_fire_that_its_target_does_not_take_any_more_is_a_dead_letter_and_smaller_ones_are_not()
      throws Exception {
    Tenant tenant = tenant("shrink");
    create(tenant, "shrink.a", Map.of());
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)));
        Producing schedules = tenant.schedules()) {
      String large = ",\"payload\":\"" + "x".repeat(5_000) + "\"}";
      schedules.put("large", every200ms("shrink.a").replaceFirst("}$", large));
      schedules.put("small", every200ms("shrink.a"));
      awaitMore("shrink.a", 6);
      limit(tenant, "shrink.a", 3_000);
      await().atMost(BOUND).until(() -> deadLetters(tenant).size() >= 3);
      int before = records("shrink.a").size();
      await().atMost(BOUND).until(() -> records("shrink.a").size() > before + 3);
      end(tenant, "small", "shrink.a", "large");
      assertThat(scheduler.isReady()).isTrue();
    }
    Map<String, List<String>> routed = bySchedule(fireKeys(records("shrink.a")));
    assertThat(routed.get("small")).isEqualTo(fired(tenant, "small"));
    List<TopicReader.Entry<byte[]>> letters = deadLetters(tenant);
    assertThat(letters)
        .extracting(letter -> letter.headers().get(HeaderNames.ERROR))
        .allMatch(error -> error.startsWith("target \"shrink.a\": "));
    assertThat(
            Stream.concat(routed.getOrDefault("large", List.of()).stream(), keys(letters).stream()))
        .containsExactlyInAnyOrderElementsOf(fired(tenant, "large"));
  }

  @Test
  @Tag("all")
  void each_fire_reaches_its_target_once_and_in_order_whatever_is_killed() throws Exception {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    Tenant tenant = tenant("killed");
    create(tenant, "killed.a", Map.of());
    Map<String, String> settings = tenant.settings("one", settings(tenant));
    tenant.createTopics(settings);
    try (Producing schedules = tenant.schedules()) {
      for (int i = 0; i < 20; i++) {
        schedules.put(
            "s" + i,
            "{\"every\":\"100ms\",\"catch_up\":\"replay\",\"target\":{\"topic\":\"killed.a\",\"key\":\"s"
                + i
                + "\"}}");
      }
      for (int kill = 0; kill < 2; kill++) {
        try (SchedulerProcess scheduler = SchedulerProcess.start(settings)) {
          int before = records("killed.a").size();
          await().atMost(BOUND).until(() -> records("killed.a").size() > before + 100);
          await().pollDelay(Duration.ofMillis(random.nextLong(200))).until(() -> true);
          scheduler.kill();
        }
      }
      try (SchedulerProcess scheduler = SchedulerProcess.start(settings)) {
        scheduler.awaitReady();
        delete(tenant, IntStream.range(0, 20).mapToObj(i -> "s" + i).toList());
        await().atMost(BOUND).until(() -> fired(tenant).size() == records("killed.a").size());
        assertThat(scheduler.terminate()).isZero();
      }
    }
    Map<String, List<String>> fired = bySchedule(fired(tenant));
    assertThat(fired).hasSize(20);
    assertThat(bySchedule(fireKeys(records("killed.a")))).isEqualTo(fired);
    assertThat(deadLetters(tenant)).isEmpty();
  }

  @Test
  @Tag("all")
  void without_its_offsets_it_delivers_the_fires_of_the_last_week_again_and_no_older_ones()
      throws Exception {
    Tenant tenant = tenant("lost");
    create(tenant, "lost.a", Map.of());
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)));
        Producing schedules = tenant.schedules()) {
      await().atMost(BOUND).until(scheduler::isReady);
      schedules.put("once", "{\"at\":\"now\",\"target\":{\"topic\":\"lost.a\"}}");
      await().atMost(BOUND).until(() -> raw("lost.a").size() == 1);
    }
    ConsumerRecord<byte[], byte[]> fire = raw("lost.fires").get(0);
    long now = System.currentTimeMillis();
    long eightDaysAgo = now - Duration.ofDays(8).toMillis();
    long sixDaysAgo = now - Duration.ofDays(6).toMillis();
    try (Admin admin = tenant.admin()) {
      TopicPartition partition = new TopicPartition(fire.topic(), fire.partition());
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1))).all().get();
      copy(fire, eightDaysAgo);
      copy(fire, sixDaysAgo);
      await()
          .atMost(BOUND)
          .ignoreExceptions()
          .until(
              () -> {
                admin.deleteConsumerGroups(List.of(tenant.applicationId() + "-router")).all().get();
                return true;
              });
    }
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)))) {
      await().atMost(BOUND).until(() -> raw("lost.a").size() > 1);
      await().atMost(BOUND).until(() -> timestamps("lost.a").contains(sixDaysAgo));
      await().atMost(BOUND).until(scheduler::isReady);
    }
    assertThat(timestamps("lost.a"))
        .containsExactly(fire.timestamp(), sixDaysAgo)
        .doesNotContain(eightDaysAgo);
  }

  private static void copy(ConsumerRecord<byte[], byte[]> fire, long timestamp)
      throws ExecutionException, InterruptedException {
    Map<String, Object> settings =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings, bytes, bytes)) {
      producer
          .send(
              new ProducerRecord<>(
                  fire.topic(),
                  fire.partition(),
                  timestamp,
                  fire.key(),
                  fire.value(),
                  fire.headers()))
          .get();
    }
  }

  private static List<Long> timestamps(String topic) {
    return raw(topic).stream().map(ConsumerRecord::timestamp).toList();
  }

  /** All that is committed, with timestamps and headers as they are. */
  private static List<ConsumerRecord<byte[], byte[]>> raw(String topic) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka.bootstrapServers(),
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed");
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(at -> consumer.position(at) < end(ends, at))) {
        consumer.poll(Duration.ofMillis(100)).forEach(all::add);
      }
    }
    return all;
  }

  private static long end(Map<TopicPartition, Long> ends, TopicPartition partition) {
    return Optional.ofNullable(ends.get(partition)).orElseThrow();
  }

  private static Tenant tenant(String name) {
    return new Tenant(kafka.bootstrapServers(), name, dir);
  }

  private static Map<String, String> settings(Tenant tenant) {
    return Map.of(
        "partitions", "2",
        "min.interval", "100ms",
        "targets.allow", tenant.prefix() + ".*",
        "producer.transaction.timeout.ms", "5000");
  }

  private static String to(String topic) {
    return "{\"every\":\"1h\",\"target\":{\"topic\":\"" + topic + "\"}}";
  }

  private static String once(Instant due, String topic) {
    return "{\"at\":\"%s\",\"target\":{\"topic\":\"%s\"}}".formatted(due, topic);
  }

  private static String every200ms(String topic) {
    return "{\"every\":\"200ms\",\"target\":{\"topic\":\"" + topic + "\"}}";
  }

  private static void create(Tenant tenant, String topic, Map<String, String> config)
      throws ExecutionException, InterruptedException {
    try (Admin admin = tenant.admin()) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(config))).all().get();
    }
  }

  private static void delete(Tenant tenant, String topic)
      throws ExecutionException, InterruptedException {
    try (Admin admin = tenant.admin()) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }

  private static void limit(Tenant tenant, String topic, int maxMessageBytes)
      throws ExecutionException, InterruptedException {
    ConfigEntry entry =
        new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(maxMessageBytes));
    try (Admin admin = tenant.admin()) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, topic),
                  List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
  }

  private static void ask(Tenant tenant, String id, String json) {
    try (Producing schedules = tenant.schedules()) {
      schedules.send(
          Optional.of(id.getBytes(StandardCharsets.UTF_8)),
          Optional.of(json.getBytes(StandardCharsets.UTF_8)),
          Map.of(HeaderNames.CORRELATION_ID, id, HeaderNames.ANSWER_PARTITION, "0"));
    }
  }

  private static Map<String, Answer> answers(Tenant tenant, int count) {
    try (TopicReader<Answer> answers = tenant.answers()) {
      await().atMost(BOUND).until(() -> answers.values().size() >= count);
      return answers.values().stream()
          .collect(Collectors.toMap(Answer::getCorrelationId, answer -> answer));
    }
  }

  private static Verdict verdict(Map<String, Answer> answers, String id) {
    return Optional.ofNullable(answers.get(id)).orElseThrow().getVerdict();
  }

  private static String problem(Map<String, Answer> answers, String id) {
    Answer answer = Optional.ofNullable(answers.get(id)).orElseThrow();
    assertThat(answer.getVerdict()).isEqualTo(Verdict.REJECTED);
    assertThat(answer.getProblems()).hasSize(1);
    Problem problem = answer.getProblems().get(0);
    return problem.getField() + ": " + problem.getMessage();
  }

  private static void awaitMore(String topic, int count) {
    int before = records(topic).size();
    await().atMost(BOUND).until(() -> records(topic).size() >= before + count);
  }

  /** Deletes schedules, and waits until they fire no more. */
  private static void delete(Tenant tenant, List<String> ids) {
    try (Producing schedules = tenant.schedules();
        TopicReader<Revision> revisions = tenant.revisions()) {
      schedules.delete(ids);
      await()
          .atMost(BOUND)
          .until(
              () ->
                  revisions.values().stream()
                          .filter(revision -> revision.getEndedAt() != null)
                          .count()
                      == ids.size());
    }
  }

  /** Deletes schedules, and waits until the last fire of one of them is at its target. */
  private static void end(Tenant tenant, String id, String topic, String... others) {
    delete(tenant, Stream.concat(Stream.of(id), Stream.of(others)).toList());
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(bySchedule(fireKeys(records(topic))).getOrDefault(id, List.of()))
                    .isEqualTo(fired(tenant, id)));
  }

  private static List<TopicReader.Entry<byte[]>> records(String topic) {
    return all(new TopicReader<>(kafka.bootstrapServers(), topic, bytes -> bytes));
  }

  private static List<TopicReader.Entry<byte[]>> deadLetters(Tenant tenant) {
    return all(tenant.deadLetters());
  }

  private static List<String> fired(Tenant tenant) {
    return keys(all(tenant.fires()));
  }

  private static List<String> fired(Tenant tenant, String id) {
    return bySchedule(fired(tenant)).getOrDefault(id, List.of());
  }

  private static <T> List<String> keys(List<TopicReader.Entry<T>> entries) {
    return entries.stream().map(entry -> entry.key().orElseThrow()).toList();
  }

  private static List<String> fireKeys(List<TopicReader.Entry<byte[]>> entries) {
    return entries.stream()
        .map(entry -> entry.headers().getOrDefault(HeaderNames.FIRE_KEY, "none"))
        .toList();
  }

  /** Fire keys in their order. */
  private static Map<String, List<String>> bySchedule(List<String> fireKeys) {
    return fireKeys.stream()
        .collect(
            Collectors.groupingBy(
                key -> key.substring(0, key.indexOf('|')), TreeMap::new, Collectors.toList()));
  }

  private static <T> List<TopicReader.Entry<T>> all(TopicReader<T> reader) {
    try (reader) {
      return reader.toEnd();
    }
  }
}
