package io.waterclock.client.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waterclock.client.TestFires;
import io.waterclock.client.metrics.WorkerMetrics;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
final class FireWorkerOnBrokerTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final long SEED = Long.getLong("waterclock.seed", 1);

  @TempDir static Path dir;
  private static Optional<EmbeddedKafka> kafka = Optional.empty();

  @BeforeAll
  static void start() {
    kafka =
        Optional.of(
            EmbeddedKafka.start(
                dir.resolve("kafka"), 0, Map.of("group.min.session.timeout.ms", "500")));
  }

  @AfterAll
  static void stop() {
    kafka.ifPresent(EmbeddedKafka::close);
  }

  private static Rig rig(String prefix) throws Exception {
    return new Rig(kafka.orElseThrow().bootstrapServers(), prefix);
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  @Test
  void three_workers_under_rebalances_lose_nothing_double_nothing_and_keep_the_order()
      throws Exception {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    int schedules = 30;
    int each = 60;
    Map<String, List<Instant>> ran = new ConcurrentHashMap<>();
    Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
    AtomicBoolean overlapped = new AtomicBoolean();
    FireHandler handler =
        run -> {
          String id = run.fire().getScheduleId();
          AtomicInteger guard = inside.computeIfAbsent(id, key -> new AtomicInteger());
          if (guard.incrementAndGet() > 1) {
            overlapped.set(true);
          }
          LockSupport.parkNanos(2_000_000);
          ran.computeIfAbsent(id, key -> new CopyOnWriteArrayList<>())
              .add(run.fire().getOccurrence());
          guard.decrementAndGet();
        };
    Instant first = now();
    try (Rig rig = rig("rebalance")) {
      List<FireWorker> workers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        workers.add(rig.worker("service").onAny(handler).buffer(20).start());
      }
      for (int i = 0; i < each; i++) {
        for (int schedule = 0; schedule < schedules; schedule++) {
          rig.send(TestFires.of("s/" + schedule, first.plusMillis(i), HOUR, definition -> {}));
        }
        rig.flush();
        if (i % 10 == 5) {
          workers.remove(random.nextInt(workers.size())).close(Duration.ofSeconds(10));
          workers.add(rig.worker("service").onAny(handler).buffer(20).start());
        }
      }
      await()
          .atMost(BOUND)
          .until(() -> ran.values().stream().mapToInt(List::size).sum() >= schedules * each);
      workers.forEach(FireWorker::close);
    }
    List<Instant> expected = new ArrayList<>();
    for (int i = 0; i < each; i++) {
      expected.add(first.plusMillis(i));
    }
    assertThat(ran).hasSize(schedules);
    assertThat(ran.values()).allSatisfy(times -> assertThat(times).isEqualTo(expected));
    assertThat(overlapped).isFalse();
  }

  /**
   * Two workers begin the group together: each must start at the end of its partitions, also where
   * the other one has committed first. The partition that comes later is read from its beginning.
   */
  @Test
  void a_new_group_may_begin_with_the_fires_to_come() throws Exception {
    List<String> ran = new CopyOnWriteArrayList<>();
    FireHandler handler = run -> ran.add(run.fire().getScheduleId());
    try (Rig rig = rig("from-now")) {
      for (int i = 0; i < 40; i++) {
        rig.fire("before/" + i, now(), HOUR, definition -> {});
      }
      Supplier<FireWorker> start =
          () ->
              rig.worker("service")
                  .onAny(handler)
                  .startAt(StartAt.NOW)
                  .consumer(Map.of("metadata.max.age.ms", 500))
                  .start();
      try (FireWorker one = start.get();
          FireWorker two = start.get()) {
        one.awaitRunning(BOUND);
        two.awaitRunning(BOUND);
        Set<String> after = new TreeSet<>();
        for (int i = 0; i < 40; i++) {
          after.add(rig.fire("after/" + i, now(), HOUR, definition -> {}).getScheduleId());
        }
        String inNewPartition = rig.idOfNewPartition();
        rig.emitInNewPartition(TestFires.of(inNewPartition, now(), HOUR, definition -> {}));
        after.add(inNewPartition);
        await().atMost(BOUND).untilAsserted(() -> assertThat(ran).containsAll(after));
      }
      assertThat(ran).noneMatch(id -> id.startsWith("before/"));
    }
  }

  @Test
  void a_hanging_handler_is_cancelled_at_its_deadline_and_the_others_continue() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean signalled = new AtomicBoolean();
    List<String> done = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("hang")) {
      FireHandler hanging =
          run -> {
            run.onCancel(() -> signalled.set(run.isCancelled()));
            while (never.getCount() > 0) {
              LockSupport.parkNanos(1_000_000); // whatever interrupts it
            }
          };
      try (FireWorker worker =
          rig.worker("service")
              .threads(1)
              .onSchedule("hangs", hanging)
              .onAny(run -> done.add(run.fire().getScheduleId()))
              .start()) {
        rig.fire("hangs", now(), HOUR, schedule -> schedule.setTimeoutMs(300L));
        rig.fire("other", now(), HOUR, schedule -> {});
        await().atMost(BOUND).until(() -> done.equals(List.of("other")));
        assertThat(signalled).isTrue();
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.FAILED).size() == 1);
        await().atMost(BOUND).until(() -> rig.read(rig.topics.dlq()).size() == 1);
        assertThat(Rig.header(rig.read(rig.topics.dlq()).get(0), HeaderNames.ERROR))
            .startsWith("TIMED_OUT after 1 attempts");
        assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
      }
      never.countDown();
    }
  }

  @Test
  void a_run_is_cancelled_at_its_deadline_while_a_dead_letter_waits_for_its_topic()
      throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    try (Rig rig = rig("letters");
        FireWorker worker =
            rig.worker("service")
                .deadLetterTopic(WaitingLetters.TOPIC)
                .producer(
                    Map.of(
                        "max.block.ms",
                        1_000,
                        "interceptor.classes",
                        WaitingLetters.class.getName()))
                .onSchedule(
                    "hangs",
                    run -> {
                      run.onCancel(cancelled::countDown);
                      cancelled.await();
                    })
                .onAny(
                    run -> {
                      throw new GiveUpException("there is no customer 17");
                    })
                .start()) {
      rig.fire("a", now(), HOUR, schedule -> {});
      assertThat(WaitingLetters.RETRIED.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
      rig.fire("hangs", now(), HOUR, schedule -> schedule.setTimeoutMs(300L));
      assertThat(cancelled.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
      WaitingLetters.GO_ON.countDown();
      worker.close(Duration.ZERO); // the topic never comes
    }
  }

  /** Holds the retry of a dead letter up for as long as the test says, as a missing topic does. */
  public static final class WaitingLetters implements ProducerInterceptor<byte[], byte[]> {
    private static final String TOPIC = "letters.missing";
    private static final CountDownLatch RETRIED = new CountDownLatch(1);
    private static final CountDownLatch GO_ON = new CountDownLatch(1);

    private final AtomicInteger letters = new AtomicInteger();

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
      if (record.topic().equals(TOPIC) && letters.incrementAndGet() > 1) {
        RETRIED.countDown();
        try {
          GO_ON.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata written, Exception error) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {}
  }

  @Test
  void a_poison_fire_is_in_the_dead_letter_topic_after_its_attempts_and_delays_no_other()
      throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    List<Instant> done = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("poison");
        FireWorker worker =
            rig.worker("service")
                .onType(
                    "poison",
                    run -> {
                      attempts.incrementAndGet();
                      run.output("tried");
                      throw new NoClassDefFoundError("a part is missing");
                    })
                .onAny(run -> done.add(run.fire().getOccurrence()))
                .start()) {
      Fire poison =
          rig.fire(
              "a",
              now(),
              HOUR,
              schedule -> {
                schedule.setType("poison");
                schedule.setMaxAttempts(3);
                schedule.setBackoffMs(20);
              });
      poison.setWantsOutcome(true);
      Fire asked = Fire.newBuilder(poison).setScheduleId("b").setFireId("b").build();
      rig.emit(asked);
      rig.fire("a", now().plusMillis(1), HOUR, schedule -> {});
      rig.emitBytes(2, "nonsense".getBytes(UTF_8));
      rig.emitBytes(2, "nonsense".getBytes(UTF_8), new RecordHeader(HeaderNames.CE_TYPE, null));
      await().atMost(BOUND).until(() -> rig.read(rig.topics.dlq()).size() == 4);
      await().atMost(BOUND).until(() -> done.size() == 1);
      assertThat(attempts).hasValue(6);
      assertThat(rig.read(rig.topics.dlq()))
          .extracting(record -> Rig.header(record, HeaderNames.ERROR))
          .anySatisfy(error -> assertThat(error).contains("Fire cannot be read"))
          .anySatisfy(
              error ->
                  assertThat(error)
                      .isEqualTo(
                          "ATTEMPTS_EXHAUSTED after 3 attempts: java.lang.NoClassDefFoundError: a"
                              + " part is missing"));
      await().atMost(BOUND).until(() -> rig.outcomes().size() == 6);
      assertThat(outcomes(rig, "b"))
          .as("starts, too, for the one that asks")
          .extracting(Outcome::getState)
          .containsExactly(
              OutcomeState.STARTED,
              OutcomeState.STARTED,
              OutcomeState.STARTED,
              OutcomeState.FAILED);
      assertThat(outcomes(rig, "a"))
          .as("results of all others")
          .extracting(Outcome::getState)
          .containsExactlyInAnyOrder(OutcomeState.FAILED, OutcomeState.SUCCEEDED);
      Outcome failed = outcomes(rig, "b").get(3);
      assertThat(failed.getWorker()).startsWith("service/");
      assertThat(failed.getStartedAt()).isNotNull();
      assertThat(failed.getAttempt()).isEqualTo(3);
      assertThat(failed.getReason()).isEqualTo("ATTEMPTS_EXHAUSTED");
      assertThat(failed.getOutput()).isEqualTo("tried");
      assertThat(failed.getError())
          .as("the stack trace stays in the log")
          .isEqualTo("java.lang.NoClassDefFoundError: a part is missing");
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  private static List<Outcome> outcomes(Rig rig, String schedule) {
    return rig.outcomes().stream()
        .filter(outcome -> outcome.getFireKey().startsWith(schedule + "|"))
        .toList();
  }

  @Test
  @Tag("all")
  void a_worker_may_report_only_what_fires_ask_for() throws Exception {
    try (Rig rig = rig("asked");
        FireWorker worker =
            rig.worker("service").report(Reporting.ASKED).onAny(run -> {}).start()) {
      rig.fire("a", now(), HOUR, schedule -> {});
      Fire asking = TestFires.of("b", now(), HOUR, schedule -> {});
      asking.setWantsOutcome(true);
      rig.emit(asking);
      await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 2);
      await().atMost(BOUND).until(() -> rig.outcomes().size() == 2);
      assertThat(outcomes(rig, "a")).isEmpty();
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  void what_a_handler_defines_is_written_before_its_fire_has_succeeded() throws Exception {
    Instant at = now();
    Instant next = at.plus(HOUR);
    try (Rig rig = rig("defining")) {
      List<Map<String, Optional<Schedule>>> written = new CopyOnWriteArrayList<>();
      FireHandler handler =
          run -> {
            run.scheduleNext(next);
            run.put("b", ScheduleBuilder.every("5m"));
            run.delete("c");
            written.add(definitions(rig));
          };
      try (FireWorker worker = rig.worker("service").onAny(handler).start()) {
        rig.fire("a", at, HOUR, schedule -> schedule.setTrigger(new OnceTrigger(at, null)));
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 1);
        assertThat(written).hasSize(1);
        assertThat(written.get(0)).containsOnlyKeys("a", "b", "c");
        assertThat(written.get(0).get("a").orElseThrow().getTrigger())
            .isEqualTo(new OnceTrigger(next, null));
        assertThat(written.get(0).get("b")).contains(ScheduleBuilder.every("5m").build());
        assertThat(written.get(0).get("c")).isEmpty();
        assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
      }
    }
  }

  private static Map<String, Optional<Schedule>> definitions(Rig rig) {
    Map<String, Optional<Schedule>> all = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : rig.read(rig.topics.schedules())) {
      all.put(
          new String(record.key(), StandardCharsets.UTF_8),
          Optional.ofNullable(record.value()).map(RecordCodecs.schedule()::decode));
    }
    return all;
  }

  @Test
  void the_outcome_of_a_backfills_fire_names_the_backfill() throws Exception {
    try (Rig rig = rig("backfill");
        FireWorker worker = rig.worker("service").report(Reporting.ALL).onAny(run -> {}).start()) {
      Instant at = now();
      Fire backfill = TestFires.of("a", at, HOUR, schedule -> {});
      backfill.setCause(Cause.BACKFILL);
      backfill.setBackfill("b-1");
      rig.emit(backfill);
      Fire live = rig.fire("a", at.plusMillis(1), HOUR, schedule -> {});
      await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 2);
      await().atMost(BOUND).until(() -> rig.outcomes().size() == 4);
      assertThat(rig.outcomes())
          .allSatisfy(
              outcome ->
                  assertThat(outcome.getBackfill())
                      .isEqualTo(
                          outcome.getFireKey().equals(TestFires.key(live).text()) ? null : "b-1"));
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  void a_handler_that_gives_up_is_not_retried() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    try (Rig rig = rig("giveup");
        FireWorker worker =
            rig.worker("service")
                .onAny(
                    run -> {
                      attempts.incrementAndGet();
                      throw new GiveUpException("there is no customer 17");
                    })
                .start()) {
      rig.fire("a", now(), HOUR, schedule -> schedule.setMaxAttempts(3));
      await().atMost(BOUND).until(() -> rig.read(rig.topics.dlq()).size() == 1);
      assertThat(attempts).hasValue(1);
      assertThat(Rig.header(rig.read(rig.topics.dlq()).get(0), HeaderNames.ERROR))
          .startsWith("GIVEN_UP after 1 attempts")
          .endsWith("there is no customer 17");
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  void workers_take_partitions_over_whose_topic_of_retries_was_deleted() throws Exception {
    Map<String, Object> hurry = Map.of("default.api.timeout.ms", 5_000, "metadata.max.age.ms", 500);
    Set<String> ran = ConcurrentHashMap.newKeySet();
    FireHandler handler = run -> ran.add(run.fire().getScheduleId());
    try (Rig rig = rig("deleted");
        Admin admin =
            Admin.create(Map.of("bootstrap.servers", kafka.orElseThrow().bootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic(rig.topics.retries(), Rig.PARTITIONS, (short) 1)))
          .all()
          .get();
      try (FireWorker one = rig.worker("service").consumer(hurry).onAny(handler).start()) {
        rig.fire("before", now(), HOUR, schedule -> {});
        await().atMost(BOUND).until(() -> ran.contains("before"));
        TopicPartition returns = new TopicPartition(rig.topics.retries(), 0);
        await().atMost(BOUND).until(() -> rig.committed("service", returns).isPresent());
        admin.deleteTopics(List.of(rig.topics.retries())).all().get();
        FireWorker two = rig.worker("service").consumer(hurry).onAny(handler).start();
        two.awaitRunning(BOUND);
        two.close();
        for (int i = 0; i < 30; i++) {
          rig.fire("after-" + i, now(), HOUR, schedule -> {});
        }
        await().atMost(BOUND).until(() -> ran.size() == 31);
        assertThat(one.state()).isEqualTo(WorkerStatus.State.RUNNING);
      }
    }
  }

  private static final class WithoutWords extends RuntimeException {
    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }

  @Test
  void a_handler_whose_exception_throws_when_it_is_asked_for_its_message_fails_like_others()
      throws Exception {
    try (Rig rig = rig("words");
        FireWorker worker =
            rig.worker("service")
                .onAny(
                    run -> {
                      throw new WithoutWords();
                    })
                .start()) {
      rig.fire("a", now(), HOUR, schedule -> schedule.setMaxAttempts(2));
      await().atMost(BOUND).until(() -> !rig.read(rig.topics.dlq()).isEmpty());
      assertThat(Rig.header(rig.read(rig.topics.dlq()).get(0), HeaderNames.ERROR))
          .isEqualTo("ATTEMPTS_EXHAUSTED after 2 attempts: " + WithoutWords.class.getName());
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  void a_payload_of_another_type_is_a_dead_letter_without_a_retry() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    List<Duration> read = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("payload");
        FireWorker worker =
            rig.worker("service")
                .onAny(
                    run -> {
                      attempts.incrementAndGet();
                      assertThat(run.payloadAs(String.class)).startsWith("\"PT");
                      read.add(run.payloadAs(Duration.class));
                    })
                .start()) {
      rig.fire("a", now(), HOUR, json("\"PT tomorrow\""));
      rig.fire("b", now(), HOUR, json("\"PT5M\""));
      await().atMost(BOUND).until(() -> rig.read(rig.topics.dlq()).size() == 1);
      assertThat(Rig.header(rig.read(rig.topics.dlq()).get(0), HeaderNames.ERROR))
          .startsWith("GIVEN_UP after 1 attempts: io.waterclock.client.payload.PayloadException:")
          .contains("the payload of a|", " is not java.time.Duration: ");
      await().atMost(BOUND).until(() -> read.equals(List.of(Duration.ofMinutes(5))));
      assertThat(attempts).hasValue(2);
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  private static Consumer<Schedule> json(String text) {
    return schedule -> schedule.setPayload(ByteBuffer.wrap(text.getBytes(UTF_8)));
  }

  @Test
  @Tag("all")
  void two_workers_in_one_registry_share_counters_and_have_gauges_of_their_own() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    FireHandler handler =
        run -> {
          if (run.attempt() == 1) {
            throw new IllegalStateException("not yet");
          }
          if (run.fire().getScheduleId().equals("never")) {
            throw new GiveUpException("never");
          }
          if (run.fire().getScheduleId().equals("dropped")) {
            run.drop("no work for customer 17");
          }
        };
    WorkerMetrics metrics = new WorkerMetrics(registry);
    List<WorkerStatus> refused = new CopyOnWriteArrayList<>();
    WorkerListener watching =
        new WorkerListener() {
          @Override
          public void onStatus(WorkerStatus status) {
            refused.add(status);
          }
        };
    try (Rig rig = rig("metrics");
        FireWorker two = rig.worker("service").onPrefix("", handler).listener(metrics).start()) {
      try (FireWorker one =
          rig.worker("service")
              .onPrefix("", handler)
              .listener(new WorkerMetrics(registry))
              .start()) {
        for (String id : List.of("a", "b", "c", "never", "dropped")) {
          rig.fire(id, now(), HOUR, schedule -> schedule.setBackoffMs(10));
        }
        await().atMost(BOUND).until(() -> count(registry, "dead.letters") == 1);
        await().atMost(BOUND).until(() -> count(registry, "drops", "reason", "OTHER") == 1);
        await()
            .atMost(BOUND)
            .until(
                () ->
                    registry
                            .get("waterclock.worker.run")
                            .tag("outcome", "succeeded")
                            .timer()
                            .count()
                        == 3);
        assertThat(count(registry, "retries", "group", one.groupId())).isEqualTo(5);
        assertThat(registry.get("waterclock.worker.delay").timer().count()).isEqualTo(5);
        assertThat(registry.get("waterclock.worker.running").gauges()).hasSize(2);
        await()
            .atMost(BOUND)
            .until(
                () ->
                    registry.get("waterclock.worker.lag").gauges().stream()
                        .allMatch(gauge -> gauge.value() == 0));
      }
      assertThat(registry.get("waterclock.worker.running").gauges()).hasSize(1);
      assertThat(two.backlog()).isZero();
      assertThatThrownBy(
              () ->
                  rig.worker("service")
                      .onPrefix("", handler)
                      .listener(metrics)
                      .listener(watching)
                      .start())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("make a new one for each worker");
      await()
          .atMost(BOUND)
          .until(() -> refused.stream().anyMatch(s -> s.state() == WorkerStatus.State.FAILED));
      assertThat(registry.get("waterclock.worker.running").gauges()).hasSize(1);
    }
  }

  private static double count(SimpleMeterRegistry registry, String name, String... tags) {
    return registry.find("waterclock.worker." + name).tags(tags).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  @Test
  void two_services_with_one_group_id_are_warned_that_they_lose_fires() throws Exception {
    PrintStream standard = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try (Rig rig = rig("shared")) {
      rig.fire("reports/a", now(), HOUR, schedule -> {});
      try (FireWorker reports = rig.worker("service").onPrefix("reports/", run -> {}).start()) {
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 1);
        assertThat(reports.unhandled()).isEmpty();
      }
      rig.fire("reports/b", now(), HOUR, schedule -> {});
      try (FireWorker mails = rig.worker("service").onPrefix("mails/", run -> {}).start()) {
        await().atMost(BOUND).until(() -> mails.unhandled().equals(Map.of("reports/", 1L)));
      }
      assertThat(log.toString(UTF_8))
          .contains("a worker of the group service, has other handlers than this worker.")
          .contains("two services in one group lose fires: each skips the fires of the other.")
          .contains("No handler of the group service takes the fires of reports/b")
          .contains("Give each service its own group id");
    } finally {
      System.setErr(standard);
    }
  }

  @Test
  void after_a_downtime_the_backlog_is_collapsed_skipped_or_replayed() throws Exception {
    Map<String, List<Optional<Long>>> runs = new ConcurrentHashMap<>();
    FireHandler handler =
        run ->
            runs.computeIfAbsent(run.fire().getScheduleId(), id -> new CopyOnWriteArrayList<>())
                .add(run.collapsed().map(Collapsed::getCount));
    try (Rig rig = rig("downtime")) {
      Instant start = now().minus(HOUR);
      for (CatchUp catchUp : CatchUp.values()) {
        for (int i = 0; i < 5; i++) {
          rig.fire(
              catchUp.name(),
              start.plusSeconds(i),
              Duration.ofSeconds(1),
              schedule -> schedule.setCatchUp(catchUp));
        }
      }
      try (FireWorker worker = rig.worker("service").onAny(handler).start()) {
        await().atMost(BOUND).until(() -> runs.values().stream().mapToInt(List::size).sum() == 6);
        assertThat(runs.get("COLLAPSE")).containsExactly(Optional.of(4L));
        assertThat(runs.get("REPLAY")).hasSize(5);
        assertThat(runs.get("SKIP")).isNull();
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.DROPPED).size() == 9);
        assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
      }
    }
  }

  @Test
  void the_next_worker_runs_fires_that_queued_behind_a_backlog_while_a_worker_was_running()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    List<Instant> done = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("queue")) {
      Instant missed = now().minus(HOUR);
      rig.fire("a", missed, HOUR, schedule -> schedule.setCatchUp(CatchUp.REPLAY));
      FireWorker first =
          rig.worker("service")
              .onAny(
                  run -> {
                    begun.countDown();
                    Thread.sleep(60_000);
                  })
              .start();
      begun.await();
      Instant queued = now();
      rig.fire(
          "a",
          queued,
          HOUR,
          schedule -> {
            schedule.setCatchUp(CatchUp.SKIP);
            schedule.setGraceMs(0);
          });
      first.close(Duration.ofMillis(200));
      try (FireWorker second =
          rig.worker("service").onAny(run -> done.add(run.fire().getOccurrence())).start()) {
        await().atMost(BOUND).until(() -> done.size() + rig.told(OutcomeState.DROPPED).size() == 2);
        assertThat(done).containsExactly(missed, queued);
        assertThat(second.failure()).isEmpty();
      }
    }
  }

  @Test
  @Tag("all")
  void fires_in_a_partition_that_the_topic_has_got_meanwhile_run() throws Exception {
    List<Instant> done = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("grown");
        FireWorker worker =
            rig.worker("service")
                .consumer(Map.of("metadata.max.age.ms", 3_000))
                .onAny(run -> done.add(run.fire().getOccurrence()))
                .start()) {
      Instant before = now();
      rig.fire("a", before, HOUR, schedule -> {});
      await().atMost(BOUND).until(() -> done.equals(List.of(before)));
      Instant after = now();
      rig.emitInNewPartition(
          TestFires.of(
              "a",
              after,
              HOUR,
              schedule -> {
                schedule.setCatchUp(CatchUp.SKIP);
                schedule.setGraceMs(0);
              }));
      await().atMost(BOUND).until(() -> done.size() + rig.told(OutcomeState.DROPPED).size() == 2);
      assertThat(done).containsExactly(before, after);
      assertThat(worker.failure()).isEmpty();
    }
  }

  /** Notes the checkpoint that it finds, and leaves another. */
  private static FireHandler readingOn(List<String> found) {
    return run -> {
      found.add(run.checkpoint().map(bytes -> new String(bytes, UTF_8)).orElse("-"));
      run.leaveCheckpoint(("read " + found.size()).getBytes(UTF_8));
    };
  }

  @Test
  void last_starts_and_checkpoints_are_known_to_the_next_worker() throws Exception {
    List<String> found = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("memory")) {
      FireHandler handler = readingOn(found);
      Instant at = now();
      try (FireWorker worker = rig.worker("service").onAny(handler).start()) {
        rig.fire("mail", at, HOUR, schedule -> schedule.setToleranceMs(1_000L));
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 1);
        assertThat(worker.failure()).isEmpty();
      }
      try (FireWorker worker = rig.worker("service").onAny(handler).start()) {
        rig.fire("mail", at.plusSeconds(1), HOUR, schedule -> schedule.setToleranceMs(1_000L));
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.DROPPED).size() == 1);
        rig.fire("mail", at.plusSeconds(2), HOUR, schedule -> {});
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 2);
        assertThat(worker.failure()).isEmpty();
      }
      assertThat(found).containsExactly("-", "read 1");
      assertThat(
              rig.told.stream()
                  .filter(told -> told.is(OutcomeState.DROPPED))
                  .map(told -> told.outcome().getReason()))
          .containsExactly("TOO_SOON");
      assertThat(rig.read(rig.topics.prefix() + ".workers"))
          .extracting(ConsumerRecord::key)
          .allSatisfy(key -> assertThat(new String(key, UTF_8)).isEqualTo("service|mail"));
      assertThat(rig.setting(rig.topics.workers(), "compression.type")).isEqualTo("uncompressed");
    }
  }

  @Test
  @Tag("all")
  void last_starts_and_checkpoints_are_known_when_the_topic_of_fires_has_got_more_partitions()
      throws Exception {
    List<String> found = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("moved")) {
      FireHandler handler = readingOn(found);
      String id = rig.idOfNewPartition();
      Instant at = now();
      FireWorker.Builder builder =
          rig.worker("service").kafka(Map.of("metadata.max.age.ms", 1_000)).onAny(handler);
      try (FireWorker worker = builder.start()) {
        rig.fire(id, at, HOUR, schedule -> {});
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 1);
        rig.emitInNewPartition(TestFires.of(id, at.plusSeconds(1), HOUR, schedule -> {}));
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 2);
        assertThat(worker.failure()).isEmpty();
      }
      try (FireWorker worker = builder.start()) {
        rig.emitInNewPartition(
            TestFires.of(id, at.plusSeconds(2), HOUR, schedule -> schedule.setToleranceMs(1_000L)));
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 3);
        assertThat(worker.failure()).isEmpty();
      }
      try (FireWorker worker = builder.start()) {
        rig.emitInNewPartition(
            TestFires.of(id, at.plusSeconds(3), HOUR, schedule -> schedule.setToleranceMs(1_000L)));
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.DROPPED).size() == 1);
        assertThat(worker.failure()).isEmpty();
      }
    }
    assertThat(found).containsExactly("-", "read 1", "read 2");
  }

  @Test
  void a_checkpoint_is_of_use_once_and_lasts_while_nobody_uses_it() throws Exception {
    List<String> found = new CopyOnWriteArrayList<>();
    FireHandler handler =
        run -> {
          found.add(run.checkpoint().map(bytes -> new String(bytes, UTF_8)).orElse("-"));
          switch (found.size()) {
            case 1 -> {
              run.leaveCheckpoint("half".getBytes(UTF_8));
              throw new IllegalStateException("interrupted half-way");
            }
            case 3 -> run.leaveCheckpoint("next".getBytes(UTF_8));
            case 4 -> run.drop("it ran before");
            default -> {
              // succeeds
            }
          }
        };
    try (Rig rig = rig("checkpoints");
        FireWorker worker = rig.worker("service").onAny(handler).start()) {
      for (int i = 0; i < 5; i++) {
        rig.fire("mail", now().plusSeconds(i), HOUR, schedule -> schedule.setBackoffMs(20));
      }
      await().atMost(BOUND).until(() -> found.size() == 6);
      assertThat(worker.failure()).isEmpty();
    }
    assertThat(found)
        .as("attempt 1, its retry, and four more fires")
        .containsExactly("-", "half", "-", "next", "next", "-");
  }

  @Test
  void a_fire_that_is_read_again_does_not_run_again_and_fires_of_others_are_skipped()
      throws Exception {
    List<String> done = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("again");
        FireWorker worker =
            rig.worker("service")
                .onPrefix("mine/", run -> done.add(run.fire().getScheduleId()))
                .start()) {
      Fire fire = rig.fire("mine/a", now(), HOUR, schedule -> {});
      rig.fire("yours/a", now(), HOUR, schedule -> {});
      rig.emit(fire);
      rig.fire("mine/b", now(), HOUR, schedule -> {});
      await().atMost(BOUND).until(() -> done.contains("mine/b"));
      await().atMost(BOUND).until(() -> rig.told(OutcomeState.DROPPED).size() == 1);
      assertThat(done).containsExactlyInAnyOrder("mine/a", "mine/b");
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  @Tag("all")
  void an_unhandled_fire_is_counted_and_reported_and_may_be_dropped_or_become_a_dead_letter()
      throws Exception {
    for (OnUnhandled what : OnUnhandled.values()) {
      List<String> unhandled = new CopyOnWriteArrayList<>();
      List<String> done = new CopyOnWriteArrayList<>();
      try (Rig rig = rig("unhandled-" + what.name().toLowerCase(Locale.ROOT));
          FireWorker worker =
              rig.worker("service")
                  .onPrefix("mine/", run -> done.add(run.fire().getScheduleId()))
                  .onUnhandled(what)
                  .report(Reporting.ALL)
                  .listener(
                      new WorkerListener() {
                        @Override
                        public void onUnhandled(Fire fire) {
                          unhandled.add(fire.getScheduleId());
                        }
                      })
                  .start()) {
        rig.fire("yours/a", now(), HOUR, schedule -> {});
        rig.fire("yours/b", now(), HOUR, schedule -> {});
        rig.fire("theirs", now(), HOUR, schedule -> {});
        rig.fire("mine/a", now(), HOUR, schedule -> {});
        await()
            .atMost(BOUND)
            .until(() -> worker.unhandled().equals(Map.of("yours/", 2L, "theirs", 1L)));
        await().atMost(BOUND).until(() -> done.equals(List.of("mine/a")));
        assertThat(unhandled).containsExactlyInAnyOrder("yours/a", "yours/b", "theirs");
        OutcomeState ends = what == OnUnhandled.DROP ? OutcomeState.DROPPED : OutcomeState.FAILED;
        await()
            .atMost(BOUND)
            .until(
                () ->
                    rig.outcomes().stream().filter(told -> told.getState() == ends).count()
                        == (what == OnUnhandled.PASS_OVER ? 0 : 3));
        await()
            .atMost(BOUND)
            .until(
                () ->
                    rig.read(rig.topics.dlq()).size() == (what == OnUnhandled.DEAD_LETTER ? 3 : 0));
      }
    }
  }

  @Test
  void a_run_that_does_not_end_within_the_bound_of_a_stop_runs_in_the_next_worker()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    List<String> done = new CopyOnWriteArrayList<>();
    try (Rig rig = rig("stop")) {
      FireWorker first =
          rig.worker("service")
              .onAny(
                  run -> {
                    begun.countDown();
                    Thread.sleep(60_000);
                  })
              .start();
      rig.fire("a", now(), HOUR, schedule -> {});
      begun.await();
      first.close(Duration.ofMillis(200));
      assertThat(first.state()).isEqualTo(WorkerStatus.State.STOPPED);
      assertThat(rig.told(OutcomeState.FAILED)).isEmpty();
      try (FireWorker second =
          rig.worker("service").onAny(run -> done.add(run.fire().getScheduleId())).start()) {
        await().atMost(BOUND).until(() -> done.equals(List.of("a")));
        assertThat(second.failure()).isEmpty();
      }
    }
  }
}
