package io.waterclock.console.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.definition.CalendarRules;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Weekday;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class TopicFollowerTest {
  /** A loaded machine may take long. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Topics topics = Topics.ofDefault();
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-24T12:00:00Z"));
  private final List<MockConsumer<byte[], byte[]>> consumers = new CopyOnWriteArrayList<>();
  private volatile boolean isDown;

  /** What the topic of schedules holds. */
  private final List<ConsumerRecord<byte[], byte[]>> held = new CopyOnWriteArrayList<>();

  /**
   * Of topics that are empty but for that; while the broker is down, a poll waits as a real one
   * does.
   */
  private Consumer<byte[], byte[]> consumer() {
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (String topic :
        List.of(
            topics.calendars(),
            topics.revisions(),
            topics.schedules(),
            topics.status(),
            topics.watermarks(),
            topics.fires(),
            topics.missed(),
            topics.outcomes(),
            topics.commands(),
            topics.dlq())) {
      consumer.updatePartitions(topic, List.of(partition(topic, 0)));
      offsets.put(new TopicPartition(topic, 0), 0L);
    }
    consumer.updateBeginningOffsets(offsets);
    TopicPartition schedules = new TopicPartition(topics.schedules(), 0);
    offsets.put(schedules, (long) held.size());
    consumer.updateEndOffsets(offsets);
    consumer.schedulePollTask(
        () -> {
          if (consumer.assignment().contains(schedules)) {
            held.forEach(consumer::addRecord);
          }
        });
    consumers.add(consumer);
    if (isDown) {
      consumer.setOffsetsException(new TimeoutException("no broker answers"));
    }
    return consumer;
  }

  /** The consumer that follows, once the topics are read. */
  private MockConsumer<byte[], byte[]> following(TopicFollower follower) {
    await().atMost(PATIENCE).until(() -> follower.progress().isComplete());
    await()
        .atMost(PATIENCE)
        .until(() -> consumers.get(consumers.size() - 1).assignment().size() == 10);
    return consumers.get(consumers.size() - 1);
  }

  private static PartitionInfo partition(String topic, int number) {
    return new PartitionInfo(topic, number, Node.noNode(), new Node[0], new Node[0]);
  }

  @Test
  void silence_of_the_broker_is_a_problem_until_it_answers_again() {
    TopicSource source =
        new TopicSource(new TopicReader(this::consumer), topics, SchemaSource.none());
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    try (TopicFollower follower =
        TopicFollower.start(source, model, new TopicFollower.Bounds(1, now::get))) {
      await().atMost(PATIENCE).until(() -> follower.progress().isComplete());
      isDown = true;
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                now.updateAndGet(at -> at.plusSeconds(11));
                assertThat(follower.progress().problem())
                    .contains("the Kafka brokers do not answer");
              });
      isDown = false;
      await().atMost(PATIENCE).until(() -> follower.progress().problem().isEmpty());
      assertThat(follower.progress().isComplete()).isTrue();
    }
  }

  /** A registry that does not answer until a test says so. */
  private static final class AwayRegistry implements SchemaSource {
    private final AtomicBoolean isBack = new AtomicBoolean();
    private final AtomicReference<TopicFollower> watched = new AtomicReference<>();
    private final List<Optional<String>> shown = new CopyOnWriteArrayList<>();

    @Override
    public Lookup lookup(int id) {
      if (isBack.get()) {
        return new Lookup.Known(Schedule.SCHEMA$);
      }
      Optional.ofNullable(watched.get()).ifPresent(one -> shown.add(one.progress().problem()));
      return new Lookup.Unavailable("HTTP 503");
    }

    /** The problems that are shown while it is asked. */
    List<Optional<String>> problemsWhenAskedTwiceMore(TopicFollower follower) {
      watched.set(follower);
      await().atMost(PATIENCE).until(() -> shown.size() >= 2);
      return shown;
    }
  }

  private void hold(String id, boolean isRegistered) {
    Schedule schedule = Schedule.newBuilder().setTrigger(new CronTrigger("0 9 * * *")).build();
    byte[] body = RecordCodecs.schedule().encodeBody(schedule);
    byte[] value =
        isRegistered
            ? ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(5).put(body).array()
            : RecordCodecs.schedule().encode(schedule, WireFormat.AVRO);
    held.add(new ConsumerRecord<>(topics.schedules(), 0, held.size(), id.getBytes(UTF_8), value));
  }

  @Test
  void record_without_a_schema_is_a_problem_until_the_registry_answers() {
    hold("first", false);
    hold("second", true);
    hold("third", false);
    AwayRegistry registry = new AwayRegistry();
    TopicSource source = new TopicSource(new TopicReader(this::consumer), topics, registry);
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    try (TopicFollower follower =
        TopicFollower.start(source, model, new TopicFollower.Bounds(1, now::get))) {
      await().atMost(PATIENCE).until(() -> follower.progress().problem().isPresent());
      assertThat(registry.problemsWhenAskedTwiceMore(follower))
          .allSatisfy(problem -> assertThat(problem.orElseThrow()).contains("HTTP 503"));
      assertThat(follower.progress().isComplete()).isFalse();
      registry.isBack.set(true);
      await().atMost(PATIENCE).until(() -> follower.progress().isComplete());
      assertThat(follower.progress().problem()).isEmpty();
      assertThat(List.of("first", "second", "third"))
          .allSatisfy(
              id ->
                  assertThat(model.read(all -> all.schedule(id)).orElseThrow().schedule())
                      .as(id)
                      .isPresent());
    }
  }

  @Test
  @Tag("all")
  void record_that_comes_without_a_schema_is_a_problem_until_the_registry_answers() {
    AwayRegistry registry = new AwayRegistry();
    TopicSource source = new TopicSource(new TopicReader(this::consumer), topics, registry);
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    try (TopicFollower follower =
        TopicFollower.start(source, model, new TopicFollower.Bounds(1, now::get))) {
      MockConsumer<byte[], byte[]> following = following(follower);
      hold("late", true);
      following.schedulePollTask(() -> held.forEach(following::addRecord));
      await().atMost(PATIENCE).until(() -> follower.progress().problem().isPresent());
      assertThat(registry.problemsWhenAskedTwiceMore(follower))
          .allSatisfy(problem -> assertThat(problem.orElseThrow()).contains("HTTP 503"));
      registry.isBack.set(true);
      await().atMost(PATIENCE).until(() -> follower.progress().problem().isEmpty());
      assertThat(model.read(all -> all.schedule("late")).orElseThrow().schedule()).isPresent();
    }
  }

  @Test
  void topics_are_read_anew_when_there_is_room_again() {
    TopicSource source =
        new TopicSource(new TopicReader(this::consumer), topics, SchemaSource.none());
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(8_000_000, 1, 1));
    try (TopicFollower follower =
        TopicFollower.start(source, model, new TopicFollower.Bounds(1, now::get))) {
      await().atMost(PATIENCE).until(() -> follower.progress().isComplete());
      for (int i = 0; !model.read(ModelQueries::isIncomplete); i++) {
        Schedule large =
            Schedule.newBuilder()
                .setTrigger(new CronTrigger("0 9 * * *"))
                .setDescription("x".repeat(1_000_000))
                .build();
        String id = "a" + i;
        model.write(
            to -> to.written(id, "waterclock.schedules-0@7", Optional.of(large), now.get()));
      }
      int read = consumers.size();
      model.read(all -> all.ids("")).forEach(id -> model.write(to -> to.deleted(id)));
      await().atMost(PATIENCE).until(() -> !model.read(ModelQueries::isIncomplete));
      await()
          .atMost(PATIENCE)
          .until(() -> consumers.size() > read + 10 && follower.progress().isComplete());
    }
  }

  @Test
  void partitions_that_a_topic_has_got_meanwhile_are_read() {
    TopicSource source =
        new TopicSource(new TopicReader(this::consumer), topics, SchemaSource.none());
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    TopicPartition added = new TopicPartition(topics.fires(), 1);
    try (TopicFollower follower =
        TopicFollower.start(source, model, new TopicFollower.Bounds(1, now::get))) {
      MockConsumer<byte[], byte[]> following = following(follower);
      following.updateBeginningOffsets(Map.of(added, 0L));
      following.updatePartitions(
          topics.fires(), List.of(partition(topics.fires(), 0), partition(topics.fires(), 1)));
      await().atMost(PATIENCE).until(() -> following.assignment().contains(added));
      assertThat(follower.progress().problem()).isEmpty();
    }
  }

  @Test
  void record_on_which_the_model_fails_is_stepped_over() throws Exception {
    // a model with room for no dead letter fails on each
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 0));
    Schedule schedule = Schedule.newBuilder().setTrigger(new CronTrigger("0 9 * * *")).build();
    TopicFollower.Progress progress =
        afterReading(
            model,
            Map.of(
                topics.dlq(),
                List.of(new byte[0]),
                topics.schedules(),
                List.of(RecordCodecs.schedule().encode(schedule, WireFormat.AVRO))));
    assertThat(progress.problem()).isEmpty();
    assertThat(model.read(ModelQueries::size)).isEqualTo(1);
  }

  @Test
  void of_many_records_on_which_the_model_fails_few_have_a_line_in_the_log() throws Exception {
    // a model with room for no dead letter fails on each
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 0));
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      afterReading(model, Map.of(topics.dlq(), Collections.nCopies(2_000, new byte[0])));
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(UTF_8).lines())
        .hasSize(10)
        .allMatch(line -> line.contains(topics.dlq() + "-0@"));
  }

  @Test
  void calendar_that_the_scheduler_refuses_leaves_the_one_before_in_force() throws Exception {
    LocalDate day = LocalDate.parse("2026-12-25");
    List<DateRange> dates = List.of(new DateRange(day, day));
    Calendar valid = Calendar.newBuilder().setDates(dates).build();
    List<Calendar> refused =
        List.of(
            Calendar.newBuilder().setWeekdays(List.of(Weekday.values())).build(),
            Calendar.newBuilder().setDates(List.of(new DateRange(day, day.minusDays(1)))).build(),
            Calendar.newBuilder().setDescription("x".repeat(CalendarRules.MAX_BYTES)).build());
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    for (Calendar each : refused) {
      afterReading(
          model,
          Map.of(
              topics.calendars(),
              Stream.of(valid, each)
                  .map(one -> RecordCodecs.calendar().encode(one, WireFormat.AVRO))
                  .toList()));
      assertThat(model.read(ModelQueries::calendars).get("a"))
          .singleElement()
          .satisfies(version -> assertThat(version.calendar()).contains(valid));
    }
  }

  /** How a follower of a model fares that has read records under the key {@code a}. */
  private TopicFollower.Progress afterReading(ReadModel model, Map<String, List<byte[]>> records)
      throws InterruptedException {
    TopicSource source =
        new TopicSource(new TopicReader(this::consumer), topics, SchemaSource.none());
    CountDownLatch isRead = new CountDownLatch(1);
    try (TopicFollower follower =
        TopicFollower.start(source, model, new TopicFollower.Bounds(1, now::get))) {
      MockConsumer<byte[], byte[]> following = following(follower);
      following.schedulePollTask(() -> records.forEach((topic, all) -> add(following, topic, all)));
      following.schedulePollTask(isRead::countDown);
      assertThat(isRead.await(10, TimeUnit.SECONDS)).as("the follower polls again").isTrue();
      return follower.progress();
    }
  }

  private static void add(
      MockConsumer<byte[], byte[]> consumer, String topic, List<byte[]> values) {
    for (int offset = 0; offset < values.size(); offset++) {
      consumer.addRecord(
          new ConsumerRecord<>(topic, 0, offset, "a".getBytes(UTF_8), values.get(offset)));
    }
  }
}
