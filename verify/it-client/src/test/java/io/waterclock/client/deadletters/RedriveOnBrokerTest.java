package io.waterclock.client.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.testkit.EmbeddedKafka;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters that are sent again through a broker, and through kills. */
@Timeout(600)
final class RedriveOnBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final int PARTITIONS = 3;
  private static final int LETTERS = 1_000;
  private static final long SEED = Long.getLong("waterclock.seed", 1);

  @TempDir static Path dir;
  static EmbeddedKafka kafka;

  private final List<Producer<byte[], byte[]>> dead =
      Collections.synchronizedList(new ArrayList<>());

  /** Ends a redriver as a kill does: nothing that it would do afterwards happens. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @BeforeAll
  static void start() {
    kafka =
        EmbeddedKafka.start(dir.resolve("kafka"), 0, Map.of("auto.create.topics.enable", "false"));
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @AfterEach
  void buryTheDead() {
    dead.forEach(producer -> producer.close(Duration.ZERO));
  }

  @Test
  void each_of_a_thousand_letters_is_sent_once_however_often_its_redriver_is_killed()
      throws Exception {
    Topics topics = topics("killed");
    fill(topics, LETTERS);
    SplittableRandom random = new SplittableRandom(SEED);
    int kills = 0;
    boolean isDone = false;
    while (!isDone) {
      // 2,000 sends of letters and marks, in several transactions
      int calls = kills < 12 ? random.nextInt(1, 2_100) : Integer.MAX_VALUE;
      boolean isAfter = random.nextBoolean();
      try {
        redrive(topics, () -> mortal(topics, calls, isAfter))
            .run(all(false), () -> true, one -> {});
        isDone = true;
      } catch (Killed e) {
        kills++;
      }
    }
    assertThat(kills).as("seed %s", SEED).isPositive();
    assertEachOnce(topics, LETTERS);
  }

  @Test
  void two_redrives_at_the_same_moment_send_each_letter_once() throws Exception {
    Topics topics = topics("two");
    fill(topics, LETTERS);
    List<CompletableFuture<Void>> both =
        Stream.of(1, 2)
            .map(
                one ->
                    CompletableFuture.runAsync(
                        () ->
                            redrive(topics, () -> producer(topics))
                                .run(all(false), () -> true, done -> {})))
            .toList();
    for (CompletableFuture<Void> one : both) {
      try {
        one.get();
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(RedriveException.class);
        assertThat(e.getCause()).hasMessageContaining("Another redrive or discard");
      }
    }
    redrive(topics, () -> producer(topics)).run(all(false), () -> true, done -> {});
    assertEachOnce(topics, LETTERS);
  }

  @Test
  @Tag("all")
  void a_redrive_waits_for_what_the_open_transaction_of_another_producer_hides() throws Exception {
    Topics topics = topics("hidden");
    fill(topics, 30);
    Map<String, Object> settings = new HashMap<>(clients());
    settings.put("transactional.id", "another");
    try (Producer<byte[], byte[]> other =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      other.initTransactions();
      other.beginTransaction();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        other.send(letter(topics, partition, "late-" + partition, topics.commands())).get();
      }
      // the marks of this redrive are behind the open transaction
      new Redrive(
              queue(topics), new Redrive.Brokers(() -> producer(topics), partitions -> Map.of()))
          .run(all(false), () -> true, done -> {});
      eventually(() -> assertThat(values(topics.commands())).hasSize(30));
      CountDownLatch asked = new CountDownLatch(1);
      CompletableFuture<Void> second =
          CompletableFuture.runAsync(
              () ->
                  new Redrive(
                          queue(topics),
                          new Redrive.Brokers(
                              () -> producer(topics),
                              partitions -> {
                                Map<TopicPartition, Long> ends = written(partitions);
                                asked.countDown();
                                return ends;
                              }))
                      .run(all(false), () -> true, done -> {}));
      asked.await();
      other.commitTransaction();
      second.get();
    }
    eventually(() -> assertThat(values(topics.commands())).hasSize(33));
    assertThat(values(topics.commands()))
        .allSatisfy((value, times) -> assertThat(times).isEqualTo(1));
  }

  @Test
  void a_record_that_the_brokers_refuse_stays_and_holds_up_no_other() throws Exception {
    Topics topics = topics("refused");
    create(
        new NewTopic("refused.small", 1, (short) 1).configs(Map.of("max.message.bytes", "2000")));
    write(
        List.of(
            letter(topics, 0, "fits", "refused.small"),
            letter(topics, 0, "x".repeat(5_000), "refused.small"),
            letter(topics, 0, "lost", "refused.gone"),
            letter(topics, 0, "command", topics.commands()),
            letter(topics, 0, "unnamed", topics.prefix() + ".other")));
    List<HandledLetter> handled = new ArrayList<>();
    redrive(topics, () -> producer(topics))
        .run(
            order(LetterFilter.ALL, false, Set.of("refused.small", "refused.gone")),
            () -> true,
            handled::add);
    eventually(() -> assertThat(values("refused.small")).containsOnlyKeys("fits"));
    eventually(() -> assertThat(values(topics.commands())).containsOnlyKeys("command"));
    assertThat(
            handled.stream()
                .filter(one -> one.verdict() == HandledLetter.Verdict.REFUSED)
                .map(HandledLetter::text))
        .hasSize(3)
        .anyMatch(why -> why.contains("larger than the max message size"))
        .anyMatch(why -> why.equals("there is no topic refused.gone"))
        .anyMatch(why -> why.equals("it goes to the topic refused.other, which must be named"));
    eventually(() -> assertThat(left(topics)).isEqualTo(3));
  }

  @Test
  void a_redrive_whose_brokers_go_away_does_not_wait_for_them_at_its_end() throws Exception {
    Topics topics = topics("away");
    fill(topics, 3);
    List<Object> bounds = new ArrayList<>();
    assertThatThrownBy(
            () ->
                redrive(topics, () -> away(topics, bounds)).run(all(false), () -> true, one -> {}))
        .isInstanceOf(RedriveException.class)
        .hasMessageContaining("no broker");
    assertThat(bounds).containsExactly(Duration.ofSeconds(5));
    redrive(topics, () -> producer(topics)).run(all(false), () -> true, one -> {});
    eventually(() -> assertThat(values(topics.commands())).hasSize(3));
  }

  @Test
  void what_failed_three_times_stays_unless_forced_and_what_is_discarded_is_sent_no_more()
      throws Exception {
    Topics topics = topics("guard");
    ProducerRecord<byte[], byte[]> tired = letter(topics, 1, "tired", topics.commands());
    tired.headers().add(HeaderNames.REDRIVEN, utf8("3"));
    write(List.of(tired, letter(topics, 1, "unwanted", topics.commands())));
    List<HandledLetter> handled = new ArrayList<>();
    LetterFilter unwanted =
        new LetterFilter(
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("unwanted"),
            "",
            Optional.empty(),
            LetterFilter.ALL.from(),
            LetterFilter.ALL.to());
    redrive(topics, () -> producer(topics))
        .run(
            new Redrive.Order(
                Resolution.Action.DISCARDED,
                unwanted,
                letter -> true,
                Set.of(),
                true,
                Map.of(HeaderNames.AUTHOR, "ann")),
            () -> true,
            handled::add);
    redrive(topics, () -> producer(topics)).run(all(false), () -> true, handled::add);
    assertThat(handled.stream().map(HandledLetter::verdict))
        .containsExactly(HandledLetter.Verdict.DISCARDED, HandledLetter.Verdict.TRIED);
    assertThat(values(topics.commands())).isEmpty();
    redrive(topics, () -> producer(topics)).run(all(true), () -> true, handled::add);
    eventually(() -> assertThat(values(topics.commands())).containsOnlyKeys("tired"));
    eventually(() -> assertThat(left(topics)).isZero());
    List<Resolution> resolved = new ArrayList<>();
    queue(topics).resolutions(LetterFilter.ALL, resolved::add);
    assertThat(resolved)
        .extracting(
            Resolution::action, Resolution::offset, Resolution::redriven, Resolution::author)
        .containsExactly(
            tuple(Resolution.Action.DISCARDED, 1L, 0, "ann"),
            tuple(Resolution.Action.REDRIVEN, 0L, 4, ""));
  }

  /** A commit returns before its markers are everywhere. */
  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(BOUND).untilAsserted(assertion);
  }

  private static void assertEachOnce(Topics topics, int letters) {
    eventually(() -> assertThat(left(topics)).as("seed %s", SEED).isZero());
    eventually(() -> assertThat(sent(topics)).as("seed %s", SEED).hasSize(letters));
    assertThat(sent(topics)).allSatisfy((value, times) -> assertThat(times).as(value).isEqualTo(1));
  }

  private static Map<String, Integer> sent(Topics topics) {
    Map<String, Integer> sent = new TreeMap<>(values(topics.commands()));
    sent.putAll(values(topics.outcomes()));
    return sent;
  }

  private static Redrive.Order all(boolean isForced) {
    return order(LetterFilter.ALL, isForced, Set.of());
  }

  private static Redrive.Order order(LetterFilter filter, boolean isForced, Set<String> topics) {
    return new Redrive.Order(
        Resolution.Action.REDRIVEN, filter, letter -> true, topics, isForced, Map.of());
  }

  private static long left(Topics topics) {
    List<FailedRecord> left = new ArrayList<>();
    queue(topics).read(LetterFilter.ALL, left::add);
    return left.size();
  }

  private Redrive redrive(Topics topics, Supplier<Producer<byte[], byte[]>> producers) {
    return new Redrive(queue(topics), new Redrive.Brokers(producers, RedriveOnBrokerTest::written));
  }

  private static DeadLetterQueue queue(Topics topics) {
    return new DeadLetterQueue(
        new TopicReader(() -> ReaderSettings.consumer(clients())),
        topics,
        SchemaSource.none(),
        id -> Optional.empty());
  }

  private static Map<TopicPartition, Long> written(List<TopicPartition> partitions) {
    return Redrive.Brokers.of(clients(), Topics.ofDefault()).written().apply(partitions);
  }

  private static Producer<byte[], byte[]> producer(Topics topics) {
    return Redrive.Brokers.of(clients(), topics).producers().get();
  }

  /**
   * A producer whose process is killed at one of its calls.
   *
   * @param calls how many calls it lives
   * @param isAfter whether the last call still happens
   */
  @SuppressWarnings("unchecked")
  private Producer<byte[], byte[]> mortal(Topics topics, int calls, boolean isAfter) {
    Producer<byte[], byte[]> real = producer(topics);
    int[] left = {calls};
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> {
              if (left[0] <= 0) {
                return null; // the redrive closes it; a dead process does not
              }
              left[0]--;
              if (left[0] == 0) {
                dead.add(real);
                if (isAfter) {
                  method.invoke(real, arguments);
                }
                throw new Killed();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /**
   * A producer that loses its brokers in a transaction.
   *
   * @param bounds receives how long it may take to close
   */
  @SuppressWarnings("unchecked")
  private Producer<byte[], byte[]> away(Topics topics, List<Object> bounds) {
    Producer<byte[], byte[]> real = producer(topics);
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("flush")) {
                throw new TimeoutException("no broker");
              }
              if (method.getName().equals("close")) {
                dead.add(real);
                bounds.add(arguments == null ? "none" : arguments[0]);
                return null;
              }
              return method.invoke(real, arguments);
            });
  }

  /** How often each value is in a topic. */
  private static Map<String, Integer> values(String topic) {
    Map<String, Integer> found = new TreeMap<>();
    TopicReader reader = new TopicReader(() -> ReaderSettings.consumer(clients()));
    reader.each(
        reader.partitions(topic),
        record -> found.merge(new String(record.value(), UTF_8), 1, Integer::sum));
    return found;
  }

  private static Topics topics(String prefix) throws Exception {
    Topics topics = new Topics(prefix);
    create(
        Stream.of(topics.commands(), topics.outcomes(), topics.dlq())
            .map(name -> new NewTopic(name, PARTITIONS, (short) 1))
            .toArray(NewTopic[]::new));
    return topics;
  }

  private static void create(NewTopic... wanted) throws Exception {
    try (Admin admin = Admin.create(clients())) {
      admin.createTopics(List.of(wanted)).all().get();
      List<TopicPartition> partitions =
          Stream.of(wanted)
              .flatMap(
                  topic ->
                      IntStream.range(0, topic.numPartitions())
                          .mapToObj(partition -> new TopicPartition(topic.name(), partition)))
              .toList();
      // a producer's first batches need leaders that answer
      await()
          .atMost(BOUND)
          .ignoreExceptions()
          .until(() -> written(partitions).size() == partitions.size());
    }
  }

  private static void fill(Topics topics, int letters) throws Exception {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < letters; i++) {
      String origin = i % 2 == 0 || letters < LETTERS ? topics.commands() : topics.outcomes();
      records.add(letter(topics, i % PARTITIONS, "letter-" + i, origin));
    }
    write(records);
  }

  private static ProducerRecord<byte[], byte[]> letter(
      Topics topics, int partition, String value, String origin) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topics.dlq(), partition, utf8(value), utf8(value));
    record.headers().add(HeaderNames.ERROR, utf8("no"));
    record.headers().add(HeaderNames.ORIGIN_TOPIC, utf8(origin));
    record.headers().add(HeaderNames.ORIGIN_PARTITION, utf8(Integer.toString(partition)));
    record.headers().add(HeaderNames.ORIGIN_OFFSET, utf8("5"));
    return record;
  }

  private static void write(List<ProducerRecord<byte[], byte[]>> records) throws Exception {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(clients(), new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      records.forEach(record -> sent.add(producer.send(record)));
      for (Future<?> one : sent) {
        one.get();
      }
    }
  }

  private static Map<String, Object> clients() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }
}
