package io.waterclock.client.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.client.retry.RetryLater;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fires that wait in Kafka for a retry, with a real scheduler. */
@Timeout(600)
final class RetryOnBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(3);
  private static final long SEED = Long.getLong("waterclock.seed", 1);
  private static final Topics TOPICS = new Topics("retry");

  @TempDir static Path dir;
  private static Optional<EmbeddedKafka> kafka = Optional.empty();
  private static Optional<Waterclock> scheduler = Optional.empty();

  @BeforeAll
  static void start() {
    EmbeddedKafka broker =
        EmbeddedKafka.start(dir.resolve("kafka"), 0, Map.of("group.min.session.timeout.ms", "300"));
    kafka = Optional.of(broker);
    Waterclock started =
        Waterclock.start(
            WaterclockConfig.parse(
                Map.of(
                    "bootstrap.servers",
                    broker.bootstrapServers(),
                    "prefix",
                    TOPICS.prefix(),
                    "partitions",
                    "3",
                    "targets.allow",
                    "orders.*",
                    "state.dir",
                    dir.resolve("state").toString(),
                    "health.port",
                    "off")));
    scheduler = Optional.of(started);
    await().atMost(BOUND).until(started::isReady);
  }

  @AfterAll
  static void stop() {
    scheduler.ifPresent(Waterclock::close);
    kafka.ifPresent(EmbeddedKafka::close);
  }

  private static String brokers() {
    return kafka.orElseThrow().bootstrapServers();
  }

  private static FireWorker.Builder worker(String group, RetryPlan plan) {
    return FireWorker.builder(brokers(), group)
        .prefix(TOPICS.prefix())
        .consumer(Map.of("session.timeout.ms", 1500, "heartbeat.interval.ms", 300))
        .retry(plan);
  }

  private static RetryPlan each(Duration wait, int times) {
    List<Duration> waits = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      waits.add(wait);
    }
    return RetryPlan.of(waits);
  }

  /** Fires that fire now, once each, and are tried twice in a run. */
  private static void fire(String prefix, int count) {
    try (Schedules schedules = schedules()) {
      for (int i = 0; i < count; i++) {
        schedules
            .put(
                prefix + i,
                ScheduleBuilder.once(Instant.now())
                    .maxAttempts(2)
                    .backoff(Duration.ofMillis(10))
                    .payloadText("text"))
            .join()
            .orThrow();
      }
    }
  }

  private static Schedules schedules() {
    return Schedules.builder(brokers()).prefix(TOPICS.prefix()).build();
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", brokers(), "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(String topic, String prefix) {
    return read(topic).stream()
        .filter(record -> record.key() != null)
        .filter(record -> new String(record.key(), UTF_8).startsWith(prefix))
        .toList();
  }

  @Test
  void fires_wait_while_their_database_is_away_and_have_their_effect_once_when_it_is_back()
      throws Exception {
    int fires = 20;
    Server server = startH2(0);
    int port = server.getPort();
    server.stop();
    String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/" + dir.resolve("effects");
    Set<String> waiting = ConcurrentHashMap.newKeySet();
    WorkerListener listener =
        new WorkerListener() {
          @Override
          public void onWait(Fire fire, int attempt, Instant until, Throwable failure) {
            waiting.add(fire.getScheduleId());
          }
        };
    try (FireWorker worker =
        worker("database", each(Duration.ofSeconds(2), 60))
            .listener(listener)
            .onPrefix(
                "db/",
                run -> {
                  try (Connection connection = DriverManager.getConnection(url)) {
                    connection.setAutoCommit(false);
                    if (new JdbcDeduplicator("db").claim(connection, run.fire().getFireId())) {
                      insert(connection, run.fire().getScheduleId(), run.attempt());
                    }
                    connection.commit();
                  }
                })
            .start()) {
      fire("db/", fires);
      await().atMost(BOUND).until(() -> waiting.size() == fires);
      try (Schedules schedules = schedules()) {
        FireRun run = run(schedules, "db/0");
        assertThat(run.state()).contains(OutcomeState.FAILED);
        assertThat(run.retryAt()).isPresent();
        assertThat(run.hasEnded()).isFalse();
      }
      Server back = startH2(port);
      try {
        try (Connection connection = DriverManager.getConnection(url);
            Statement statement = connection.createStatement()) {
          JdbcDeduplicator.createTable(connection);
          statement.execute("create table effects (id varchar(99) not null, attempt int not null)");
        }
        await().atMost(BOUND).until(() -> effects(url).size() == fires);
        assertThat(effects(url).values()).as("attempts count on").allMatch(attempt -> attempt > 2);
        try (Schedules schedules = schedules()) {
          await()
              .atMost(BOUND)
              .until(
                  () ->
                      run(schedules, "db/0")
                          .state()
                          .filter(OutcomeState.SUCCEEDED::equals)
                          .isPresent());
          assertThat(run(schedules, "db/0").retryAt()).isEmpty();
        }
      } finally {
        back.stop();
      }
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
    assertThat(read(TOPICS.dlq(), "db/")).isEmpty();
  }

  private static FireRun run(Schedules schedules, String id) {
    List<FireRun> runs = schedules.runs(id, 10).join();
    assertThat(runs).hasSize(1);
    return runs.get(0);
  }

  private static Server startH2(int port) throws SQLException {
    return Server.createTcpServer("-tcpPort", Integer.toString(port), "-ifNotExists", "-tcpDaemon")
        .start();
  }

  private static void insert(Connection connection, String id, int attempt) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into effects (id, attempt) values (?, ?)")) {
      insert.setString(1, id);
      insert.setInt(2, attempt);
      insert.executeUpdate();
    }
  }

  /** The effects by their schedule; fails if one has happened twice. */
  private static Map<String, Integer> effects(String url) throws SQLException {
    Map<String, Integer> effects = new HashMap<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id, attempt from effects")) {
      while (rows.next()) {
        assertThat(effects.put(rows.getString(1), rows.getInt(2))).isNull();
      }
    }
    return effects;
  }

  /** The producer of a new worker does not know the topic of outcomes yet. */
  @Test
  void a_worker_whose_first_report_is_of_a_fire_that_waits_writes_it() {
    try (FireWorker worker =
            worker("first", RetryPlan.of(Duration.ofHours(1)))
                .onPrefix(
                    "first/",
                    run -> {
                      throw new IllegalStateException("down");
                    })
                .start();
        Schedules schedules = schedules()) {
      fire("first/", 1);
      await()
          .atMost(BOUND)
          .untilAsserted(() -> assertThat(run(schedules, "first/0").state()).isPresent());
      FireRun run = run(schedules, "first/0");
      assertThat(run.state()).contains(OutcomeState.FAILED);
      assertThat(run.retryAt()).isPresent();
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  @Tag("all")
  void a_fire_returns_to_the_group_that_retries_it_and_to_no_other() throws Exception {
    Map<String, List<Integer>> retrying = new ConcurrentHashMap<>();
    Map<String, AtomicInteger> other = new ConcurrentHashMap<>();
    try (FireWorker failing =
            worker("failing", each(Duration.ofMillis(500), 2))
                .onPrefix(
                    "groups/",
                    run -> {
                      retrying
                          .computeIfAbsent(
                              run.fire().getFireId(), id -> new CopyOnWriteArrayList<>())
                          .add(run.attempt());
                      throw new IllegalStateException("not today");
                    })
                .start();
        FireWorker content =
            worker("content", each(Duration.ofMillis(500), 2))
                .onPrefix(
                    "groups/",
                    run ->
                        other
                            .computeIfAbsent(run.fire().getFireId(), id -> new AtomicInteger())
                            .incrementAndGet())
                .start()) {
      fire("groups/", 5);
      await().atMost(BOUND).until(() -> read(TOPICS.dlq(), "groups/").size() == 5);
      writeWithUnknownSchema("groups/forged", "failing");
      await().atMost(BOUND).until(() -> read(TOPICS.dlq(), "groups/forged").size() == 1);
      assertThat(failing.state()).isEqualTo(WorkerStatus.State.RUNNING);
      await().atMost(BOUND).until(() -> failing.lag() == 0 && content.lag() == 0);
    }
    assertThat(retrying).hasSize(5);
    assertThat(retrying.values())
        .allSatisfy(tries -> assertThat(tries).containsExactly(1, 2, 3, 4, 5, 6));
    assertThat(other).hasSize(5);
    assertThat(other.values()).allSatisfy(runs -> assertThat(runs).hasValue(1));
    List<ConsumerRecord<byte[], byte[]>> returns =
        read(TOPICS.retries(), "groups/").stream()
            .filter(record -> !new String(record.key(), UTF_8).equals("groups/forged"))
            .toList();
    assertThat(returns)
        .hasSize(10)
        .extracting(record -> Rig.header(record, HeaderNames.GROUP))
        .containsOnly("failing");
    Map<String, Integer> partitions =
        read(TOPICS.fires(), "groups/").stream()
            .collect(
                Collectors.toMap(
                    record -> new String(record.key(), UTF_8), ConsumerRecord::partition));
    assertThat(returns)
        .as("in the partition of the fire, which the same worker reads")
        .allSatisfy(
            record ->
                assertThat(record.partition())
                    .isEqualTo(partitions.get(new String(record.key(), UTF_8))));
    ConsumerRecord<byte[], byte[]> dead = read(TOPICS.dlq(), "groups/0").get(0);
    assertThat(Rig.header(dead, HeaderNames.ERROR))
        .startsWith("ATTEMPTS_EXHAUSTED after 6 attempts: ");
    assertThat(Rig.header(dead, HeaderNames.CE_ID)).as("as received").isNotEmpty();
    assertThat(Rig.header(dead, HeaderNames.ORIGIN_TOPIC)).isEqualTo(TOPICS.retries());
  }

  /** As a writer of the topic later can. */
  private static void writeWithUnknownSchema(String key, String group) {
    ProducerRecord<byte[], byte[]> forged =
        new ProducerRecord<>(
            TOPICS.retries(), 0, key.getBytes(UTF_8), new byte[] {0, 0, 0, 0, 9, 1, 2});
    forged.headers().add(HeaderNames.GROUP, group.getBytes(UTF_8));
    forged.headers().add(HeaderNames.RETURNS_TO, TOPICS.retries().getBytes(UTF_8));
    forged.headers().add(HeaderNames.CE_TYPE, HeaderNames.FIRE_TYPE.getBytes(UTF_8));
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      var unused = producer.send(forged);
    }
  }

  /** The first worker ends while fires wait, so the second one has to know of them. */
  @Test
  @Tag("all")
  void in_order_later_fires_of_the_schedule_wait_behind_one_that_waits_and_others_go_on()
      throws Exception {
    List<Instant> ran = new CopyOnWriteArrayList<>();
    AtomicReference<@Nullable String> firstFire = new AtomicReference<>();
    AtomicInteger others = new AtomicInteger();
    AtomicInteger waits = new AtomicInteger();
    WorkerListener listener =
        new WorkerListener() {
          @Override
          public void onWait(Fire fire, int attempt, Instant until, Throwable failure) {
            waits.incrementAndGet();
          }
        };
    FireHandler handler =
        run -> {
          if (run.fire().getScheduleId().equals("order/other")) {
            others.incrementAndGet();
          } else if (run.attempt() <= 4 && isFirst(firstFire, run.fire())) {
            throw new IllegalStateException("not today");
          } else {
            ran.add(run.fire().getOccurrence());
          }
        };
    try (Schedules schedules = schedules()) {
      FireWorker.Builder first =
          worker("order", each(Duration.ofSeconds(6), 9).inOrder())
              .listener(listener)
              .onPrefix("order/", handler);
      try (FireWorker worker = first.start()) {
        for (String id : List.of("order/kept", "order/other")) {
          schedules
              .put(
                  id,
                  ScheduleBuilder.every(Duration.ofSeconds(1))
                      .maxOccurrences(10)
                      .maxAttempts(2)
                      .backoff(Duration.ofMillis(10)))
              .join()
              .orThrow();
        }
        await().atMost(BOUND).until(() -> waits.get() == 1 && others.get() >= 3);
        assertThat(ran).as("they wait behind the first one").isEmpty();
        assertThat(worker.failure()).isEmpty();
      }
      FireWorker.Builder second =
          worker("order", each(Duration.ofSeconds(6), 9).inOrder())
              .listener(listener)
              .onPrefix("order/", handler);
      try (FireWorker worker = second.start()) {
        await().atMost(BOUND).until(() -> ran.size() == 10 && others.get() == 10);
        assertThat(worker.failure()).isEmpty();
      }
    }
    assertThat(ran).as("each once").doesNotHaveDuplicates().isSorted();
    assertThat(waits).as("of the first one").hasValue(2);
    assertThat(read(TOPICS.dlq(), "order/")).isEmpty();
  }

  private static boolean isFirst(AtomicReference<@Nullable String> first, Fire fire) {
    return first.compareAndSet(null, fire.getFireId()) || fire.getFireId().equals(first.get());
  }

  @Test
  @Tag("all")
  void a_fire_whose_worker_is_killed_between_its_write_and_its_commit_runs_to_its_effect()
      throws Exception {
    fire("kill/", 1);
    Process dying =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                DyingWorker.class.getName(),
                brokers(),
                TOPICS.prefix())
            .inheritIO()
            .start();
    assertThat(dying.waitFor()).isEqualTo(DyingWorker.DIED);
    AtomicInteger effects = new AtomicInteger();
    Set<Integer> attempts = ConcurrentHashMap.newKeySet();
    try (FireWorker worker =
        worker("kill", DyingWorker.PLAN)
            .onPrefix(
                "kill/",
                run -> {
                  attempts.add(run.attempt());
                  if (run.attempt() <= 2) {
                    throw new IllegalStateException("not today");
                  }
                  effects.incrementAndGet();
                })
            .start()) {
      await().atMost(BOUND).until(() -> effects.get() > 0);
      await().atMost(BOUND).until(() -> worker.lag() == 0);
    }
    assertThat(attempts)
        .as("the fire ran again, as its offset was not committed")
        .contains(1, 2, 3);
    assertThat(effects).hasValue(1);
    assertThat(read(TOPICS.retries(), "kill/"))
        .as("written twice under one name")
        .extracting(record -> Rig.header(record, HeaderNames.ID))
        .containsOnly(Rig.header(read(TOPICS.retries(), "kill/").get(0), HeaderNames.ID));
    assertThat(read(TOPICS.later(), "kill/")).hasSize(2);
    assertThat(read(TOPICS.dlq(), "kill/")).isEmpty();
  }

  /**
   * Each record fails twice, in the transaction of the consumer's offsets, and then a third time:
   * what returns, and the dead letter, are what was sent.
   */
  @Test
  @Tag("all")
  void random_records_return_byte_for_byte_and_end_as_dead_letters() throws Exception {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    int records = 200;
    create(
        new NewTopic("orders.new", 3, (short) 1),
        new NewTopic("orders.retries", 2, (short) 1),
        new NewTopic("orders.dead", 1, (short) 1));
    Map<String, Sent> sent = new HashMap<>();
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      for (int i = 0; i < records; i++) {
        List<Header> headers = headers(random, i);
        byte[] key = bytesOrNull(random);
        byte[] value = bytesOrNull(random);
        sent.put("" + i, new Sent(key, value, headers));
        var unused = producer.send(new ProducerRecord<>("orders.new", null, key, value, headers));
      }
    }
    Map<String, AtomicInteger> attempts = new HashMap<>();
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", "orders-1"));
        KafkaConsumer<byte[], byte[]> consumer =
            new KafkaConsumer<>(
                Map.of(
                    "bootstrap.servers", brokers(),
                    "group.id", "billing",
                    "auto.offset.reset", "earliest",
                    "enable.auto.commit", "false",
                    "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
      RetryLater<byte[], byte[]> retryLater =
          RetryLater.builder(producer, "billing")
              .after(each(Duration.ofMillis(300), 2))
              .returnTo("orders.retries")
              .deadLetters("orders.dead")
              .topics(TOPICS)
              .build();
      RetryLater<byte[], byte[]> others =
          RetryLater.builder(producer, "shipping").topics(TOPICS).build();
      producer.initTransactions();
      consumer.subscribe(List.of("orders.new", "orders.retries"));
      Instant end = Instant.now().plus(BOUND);
      int handled = 0;
      while (handled < 3 * records && Instant.now().isBefore(end)) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(200));
        if (polled.isEmpty()) {
          continue;
        }
        boolean aborts = random.nextInt(3) == 0;
        Map<TopicPartition, OffsetAndMetadata> before = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> after = new HashMap<>();
        producer.beginTransaction();
        for (ConsumerRecord<byte[], byte[]> record : polled) {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          before.putIfAbsent(partition, new OffsetAndMetadata(record.offset()));
          after.put(partition, new OffsetAndMetadata(record.offset() + 1));
          String name = Rig.header(record, "name");
          int attempt = retryLater.attempt(record);
          assertIsAsSent(record, Optional.ofNullable(sent.get(name)).orElseThrow());
          assertThat(retryLater.isForOthers(record)).isFalse();
          assertThat(others.isForOthers(record)).isEqualTo(attempt > 1);
          Optional<Duration> wait =
              retryLater.retry(record, new IllegalStateException("no stock")).delay();
          assertThat(wait.isPresent()).isEqualTo(attempt < 3);
          if (!aborts) {
            attempts.computeIfAbsent(name, any -> new AtomicInteger()).incrementAndGet();
          }
        }
        if (aborts) {
          producer.abortTransaction();
          before.forEach(consumer::seek);
        } else {
          producer.sendOffsetsToTransaction(after, consumer.groupMetadata());
          producer.commitTransaction();
          handled += polled.count();
        }
      }
    }
    assertThat(attempts).hasSize(records);
    assertThat(attempts.values()).allSatisfy(times -> assertThat(times).hasValue(3));
    List<ConsumerRecord<byte[], byte[]>> dead = read("orders.dead");
    assertThat(dead).hasSize(records);
    for (ConsumerRecord<byte[], byte[]> letter : dead) {
      assertIsAsSent(
          letter, Optional.ofNullable(sent.get(Rig.header(letter, "name"))).orElseThrow());
      assertThat(Rig.header(letter, HeaderNames.ERROR)).contains("no stock");
      assertThat(Rig.header(letter, HeaderNames.RETRIES)).isEqualTo("2");
    }
  }

  /** Returns when each partition has a leader, which a producer's first batches need. */
  private static void create(NewTopic... topics) throws Exception {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (NewTopic topic : topics) {
      for (int partition = 0; partition < topic.numPartitions(); partition++) {
        ends.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
      }
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers()))) {
      admin.createTopics(List.of(topics)).all().get();
      await()
          .atMost(BOUND)
          .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
          .until(() -> admin.listOffsets(ends).all().get() != null);
    }
  }

  /** Never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Sent(byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {}

  /** Key, value, and the first headers; those of the retry follow. */
  private static void assertIsAsSent(ConsumerRecord<byte[], byte[]> record, Sent sent) {
    assertThat(record.key()).isEqualTo(sent.key());
    assertThat(record.value()).isEqualTo(sent.value());
    Header[] headers = record.headers().toArray();
    assertThat(headers).hasSizeGreaterThanOrEqualTo(sent.headers().size());
    for (int i = 0; i < sent.headers().size(); i++) {
      assertThat(headers[i].key()).isEqualTo(sent.headers().get(i).key());
      assertThat(headers[i].value()).isEqualTo(sent.headers().get(i).value());
    }
    assertThat(Arrays.stream(headers).skip(sent.headers().size()).map(Header::key))
        .isSubsetOf(
            HeaderNames.GROUP,
            HeaderNames.RETURNS_TO,
            HeaderNames.RETRIES,
            HeaderNames.ATTEMPTS,
            HeaderNames.ERROR,
            HeaderNames.ID,
            HeaderNames.ORIGIN_TOPIC,
            HeaderNames.ORIGIN_PARTITION,
            HeaderNames.ORIGIN_OFFSET,
            HeaderNames.ORIGIN_TIMESTAMP);
  }

  private static List<Header> headers(SplittableRandom random, int name) {
    List<Header> headers = new ArrayList<>();
    int before = random.nextInt(4);
    for (int i = 0; i < before; i++) {
      headers.add(header(random));
    }
    headers.add(new RecordHeader("name", Integer.toString(name).getBytes(UTF_8)));
    int after = random.nextInt(4);
    for (int i = 0; i < after; i++) {
      headers.add(header(random));
    }
    return headers;
  }

  /** Few names, so that some are repeated; one is that of a dead letter sent again. */
  private static Header header(SplittableRandom random) {
    List<String> names = List.of("a", "b", "", "ä", HeaderNames.ERROR);
    return new RecordHeader(names.get(random.nextInt(names.size())), bytesOrNull(random));
  }

  private static byte @Nullable [] bytesOrNull(SplittableRandom random) {
    int length = random.nextInt(40) - 2;
    if (length < -1) {
      return null;
    }
    byte[] bytes = new byte[Math.max(0, length)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", brokers());
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A worker as a process, which dies when a fire is written to wait and its offset is not. */
  static final class DyingWorker {
    static final int DIED = 13;
    static final RetryPlan PLAN = RetryPlan.of(Duration.ofSeconds(15));

    private DyingWorker() {}

    public static void main(String[] arguments) throws InterruptedException {
      WorkerListener death =
          new WorkerListener() {
            @Override
            public void onWait(Fire fire, int attempt, Instant until, Throwable failure) {
              Runtime.getRuntime().halt(DIED);
            }
          };
      try (FireWorker worker =
          FireWorker.builder(arguments[0], "kill")
              .prefix(arguments[1])
              .consumer(Map.of("session.timeout.ms", 600, "heartbeat.interval.ms", 150))
              .retry(PLAN)
              .listener(death)
              .onPrefix(
                  "kill/",
                  run -> {
                    throw new IllegalStateException("not today");
                  })
              .start()) {
        worker.await();
      }
    }
  }
}
