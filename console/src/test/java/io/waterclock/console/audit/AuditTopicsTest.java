package io.waterclock.console.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.jobs.Work;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.json.ScheduleJson;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A schedule every 10 s, whose occurrences have numbers: 1 is 10 s after the start. */
final class AuditTopicsTest {
  private static final Instant START = Instant.parse("2026-11-24T12:00:00Z");
  private static final String REVISION = "waterclock.schedules-0@0";

  private final Topics topics = Topics.ofDefault();
  private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

  /** How many records retention has removed, by topic, or by topic and partition. */
  private final Map<String, Long> removed = new HashMap<>();

  private String id = "a";
  private int partitionsOfFires = 1;
  private int partitionsOfSchedules = 1;

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void of_two_statuses_and_watermarks_the_newer_one_counts_whichever_is_read_last(int former) {
    int latter = 1 - former; // the topics have got a partition meanwhile
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.status(), former, 1.5, RecordCodecs.status(), status(State.PAUSED, 1.5));
    write(topics.status(), latter, 3.5, RecordCodecs.status(), status(State.ACTIVE, 3.5));
    write(topics.fires(), 0, 1, RecordCodecs.fire(), fire(1));
    write(topics.missed(), 0, 3.5, RecordCodecs.missed(), missed());
    write(topics.fires(), 0, 4, RecordCodecs.fire(), fire(4));
    write(topics.fires(), 0, 5, RecordCodecs.fire(), fire(5));
    write(topics.watermarks(), former, 2.5, RecordCodecs.watermark(), watermark(2.5));
    write(topics.watermarks(), latter, 5.5, RecordCodecs.watermark(), watermark(5.5));

    AuditReport report = report();

    assertThat(report.findings()).isEmpty();
    assertThat(report.accounts()).extracting(Account::through).containsExactly(at(5.5));
  }

  @Test
  void of_two_statuses_in_a_partition_the_later_one_counts_whatever_the_clock_of_its_owner() {
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.status(), 0, 1.5, RecordCodecs.status(), status(State.PAUSED, 1.5));
    write(topics.status(), 0, 1.4, RecordCodecs.status(), status(State.ACTIVE, 1.5));
    write(topics.fires(), 0, 1, RecordCodecs.fire(), fire(1));
    write(topics.watermarks(), 0, 2.5, RecordCodecs.watermark(), watermark(2.5));

    assertThat(report().findings()).extracting(Finding::kind).containsExactly(Finding.Kind.HOLE);
  }

  @Test
  void a_fire_that_waited_for_a_limit_counts_once_whatever_became_of_it() {
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    for (int number = 1; number <= 3; number++) {
      waits(number);
    }
    write(topics.fires(), 0, 4, RecordCodecs.fire(), fire(1));
    Missed expired = missed();
    expired.setLast(at(2));
    expired.setCount(1);
    expired.setReason(MissedReason.EXPIRED);
    write(topics.missed(), 0, 4, RecordCodecs.missed(), expired);
    write(topics.watermarks(), 0, 3.5, RecordCodecs.watermark(), watermark(3.5));

    AuditReport report = report();

    assertThat(report.findings()).isEmpty();
    assertThat(report.unproven()).isEmpty();
    assertThat(report.fired()).isEqualTo(1);
    assertThat(report.waiting()).isEqualTo(1);
    assertThat(report.missed().value()).isEqualTo(1);
    assertThat(
            new AuditWork(source(), Optional.empty(), id -> true, InstantSource.fixed(at(6)))
                .run(unwatched())
                .path("waiting")
                .asInt())
        .isEqualTo(1);
  }

  @Test
  void a_fire_that_waited_until_it_expired_and_is_not_missed_is_not_proved() {
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.fires(), 0, 1, RecordCodecs.fire(), fire(1));
    waits(2, Long.toString(at(3).toEpochMilli()));
    write(topics.watermarks(), 0, 2.5, RecordCodecs.watermark(), watermark(2.5));

    assertThat(report().unproven()).as("the limiter may be about to let it expire").isEmpty();

    AuditReport late = report(InstantSource.fixed(at(3).plus(Duration.ofMinutes(16))));

    assertThat(late.findings()).isEmpty();
    assertThat(late.fired()).isEqualTo(1);
    assertThat(late.unproven())
        .singleElement()
        .extracting(Audit.Unproven::reason)
        .asString()
        .startsWith("1 fire waiting for a limit")
        .contains(at(2).toString());
  }

  @Test
  void what_waited_when_partitions_were_added_is_not_proved() {
    partitionsOfSchedules = 2;
    id = named(0);
    waitsIn(1, 2, "-"); // the first partition had every limit, and has some of them now
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.fires(), 0, 1, RecordCodecs.fire(), fire(1));
    write(topics.watermarks(), 0, 3.5, RecordCodecs.watermark(), watermark(3.5));
    waitsIn(0, 3, "-");

    AuditReport report = report();

    assertThat(report.findings()).isEmpty();
    assertThat(report.waiting()).isEqualTo(2);
    assertThat(report.unproven())
        .singleElement()
        .extracting(Audit.Unproven::reason)
        .asString()
        .startsWith("1 fire waiting for a limit")
        .contains(at(2).toString());
  }

  private void waits(int number) {
    waits(number, "-");
  }

  private void waits(int number, String expires) {
    waitsIn(0, number, expires);
  }

  /**
   * @param home of its limit, of as many partitions as schedules have
   */
  private void waitsIn(int home, int number, String expires) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.LIMIT, named(home).getBytes(UTF_8));
    headers.add(HeaderNames.WAITING, ("fire 0 0 " + expires + " - OCCURRENCE -").getBytes(UTF_8));
    write(
        topics.waiting(),
        0,
        number,
        RecordCodecs.fire(),
        fire(number),
        fireKey(at(number)),
        headers);
  }

  /**
   * @param home of as many partitions as schedules have
   */
  private String named(int home) {
    return IntStream.range(0, 100)
        .mapToObj(n -> "a" + n)
        .filter(name -> HomePartition.of(name.getBytes(UTF_8), partitionsOfSchedules) == home)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_fire_that_is_written_while_a_slow_audit_reads_is_not_early() {
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.fires(), 0, 1, RecordCodecs.fire(), fire(1));
    write(topics.fires(), 0, 2, RecordCodecs.fire(), fire(2));
    write(topics.watermarks(), 0, 2.5, RecordCodecs.watermark(), watermark(2.5));
    AtomicInteger looks = new AtomicInteger();

    assertThat(report(() -> at(looks.incrementAndGet())).findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"a, 1", "b, 0"})
  void an_audit_counts_the_unreadable_records_of_visible_schedules_only(String seen, int count) {
    write(topics.fires(), 0, 1, RecordCodecs.watermark(), watermark(1)); // no fire
    write(topics.watermarks(), 0, 2.5, RecordCodecs.watermark(), watermark(2.5));
    AuditWork work =
        new AuditWork(source(), Optional.empty(), seen::equals, InstantSource.fixed(at(6)));
    assertThat(work.run(unwatched()).path("unreadable_count").asInt()).isEqualTo(count);
  }

  /** 100 fires take less than 10 kB, and the payload takes nothing; 1,000 more are too much. */
  @Test
  void an_audit_takes_no_more_memory_than_it_may() {
    Revision large = revision();
    large.getSchedule().setPayload(ByteBuffer.allocate(1_000_000));
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), large);
    for (int i = 1; i <= 100; i++) {
      write(topics.fires(), 0, i, RecordCodecs.fire(), fire(i));
    }
    write(topics.watermarks(), 0, 100.5, RecordCodecs.watermark(), watermark(100.5));
    AuditWork work =
        new AuditWork(source(10_000), Optional.of("a"), id -> true, InstantSource.fixed(at(2_000)));
    assertThat(work.run(unwatched()).path("fired").asInt()).isEqualTo(100);
    for (int i = 101; i <= 1_100; i++) {
      write(topics.fires(), 0, i, RecordCodecs.fire(), fire(i));
    }
    assertThatThrownBy(() -> work.run(unwatched()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("run waterclock audit");
  }

  private static Work.Progress unwatched() {
    return new Work.Progress() {
      @Override
      public void at(long done, long total) {}

      @Override
      public boolean isCancelled() {
        return false;
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"fires", "missed"})
  void a_partition_that_retention_has_emptied_hides_no_lost_occurrence(String emptied) {
    removed.put(topics.prefix() + "." + emptied, 8L);
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.watermarks(), 0, 2.5, RecordCodecs.watermark(), watermark(2.5));

    AuditReport report = report();

    assertThat(report.findings()).extracting(Finding::kind).containsExactly(Finding.Kind.HOLE);
    assertThat(report.findings()).extracting(Finding::first).containsExactly(at(1));
    assertThat(report.unproven()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"fires, 7", "missed, 30"})
  void an_emptied_partition_is_complete_for_its_least_retention_less_an_hour(
      String emptied, int days) {
    removed.put(topics.prefix() + "." + emptied, 8L);
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.watermarks(), 0, 2.5, RecordCodecs.watermark(), watermark(2.5));
    Instant read = at(1).plus(Duration.ofDays(days)).minus(Duration.ofHours(1));

    assertThat(report(InstantSource.fixed(read)).findings())
        .extracting(Finding::first)
        .containsExactly(at(2));

    AuditReport late = report(InstantSource.fixed(read.plusSeconds(15)));

    assertThat(late.accounts()).isEmpty();
    assertThat(late.unproven()).extracting(Audit.Unproven::scheduleId).containsExactly("a");
  }

  @Test
  void what_was_decided_before_the_oldest_outcome_that_is_left_is_not_proved() {
    removed.put(topics.missed(), 8L);
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.missed(), 0, 3.5, RecordCodecs.missed(), missed());
    write(topics.fires(), 0, 4, RecordCodecs.fire(), fire(4));
    write(topics.watermarks(), 0, 4.5, RecordCodecs.watermark(), watermark(4.5));

    assertThat(report().unproven()).isEmpty();

    AuditReport earlier = report(InstantSource.fixed(at(6)), new Window(Instant.MIN, at(3.5)));

    assertThat(earlier.accounts()).isEmpty();
    assertThat(earlier.unproven()).extracting(Audit.Unproven::scheduleId).containsExactly("a");
  }

  /** Its oldest fires that are left are in the partition that it had before. */
  @Test
  void a_schedule_in_a_partition_that_a_topic_has_got_since_has_no_false_holes() {
    partitionsOfFires = 2;
    int home = HomePartition.of(id.getBytes(UTF_8), 2);
    removed.put(topics.fires() + "-" + (1 - home), 8L);
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    write(topics.fires(), 1 - home, 3, RecordCodecs.fire(), fire(3));
    write(topics.fires(), home, 4, RecordCodecs.fire(), fire(4));
    write(topics.watermarks(), 0, 4.5, RecordCodecs.watermark(), watermark(4.5));

    AuditReport report = report();

    assertThat(report.findings()).isEmpty();
    assertThat(report.accounts()).extracting(Account::after).containsExactly(at(3));
    assertThat(report.accounts()).extracting(Account::fired).containsExactly(1L);
  }

  @Test
  void a_status_that_names_an_invalid_definition_does_not_end_the_audit() {
    Schedule invalid = schedule();
    invalid.setTrigger(new CronTrigger("99 * * * *"));
    write(topics.status(), 0, 1, RecordCodecs.status(), status(State.ACTIVE, 1));
    write(topics.schedules(), 0, 0, RecordCodecs.schedule(), invalid);
    write(topics.watermarks(), 0, 2.5, RecordCodecs.watermark(), watermark(2.5));

    assertThat(report().unproven()).extracting(Audit.Unproven::revision).containsExactly(REVISION);
  }

  /** An id of a delayed record whose fire is not in the home partition of the id. */
  private void delayed() {
    partitionsOfFires = 2;
    id =
        IntStream.range(0, 100)
            .mapToObj(n -> HomePartition.UNNAMED + n)
            .filter(one -> HomePartition.of(one.getBytes(UTF_8), 2) == 1)
            .findFirst()
            .orElseThrow();
    write(topics.revisions(), 0, 0, RecordCodecs.revision(), revision());
    int written = HomePartition.ofFires(id.getBytes(UTF_8), 1, 2);
    write(topics.fires(), written, 1, RecordCodecs.fire(), fire(1));
  }

  @Test
  void the_trail_of_a_delayed_record_has_its_fire_where_fires_have_other_partitions() {
    delayed();

    assertThat(
            new TrailWork(source(), id, at(1), "UTC", false)
                .run(unwatched())
                .path("steps")
                .findValuesAsText("kind"))
        .containsExactly("definition", "revision", "fire");
  }

  @Test
  void the_fire_of_a_delayed_record_is_found_where_fires_have_other_partitions_than_schedules() {
    delayed();
    write(topics.watermarks(), 0, 1.5, RecordCodecs.watermark(), watermark(1.5));

    AuditReport report =
        AuditReport.of(
            AuditTopics.read(source(), Optional.of(id), InstantSource.fixed(at(6))),
            new Window(Instant.MIN, Instant.MAX));

    assertThat(report.findings()).isEmpty();
    assertThat(report.accounts()).extracting(Account::fired).containsExactly(1L);
  }

  private AuditReport report() {
    return report(InstantSource.fixed(at(6)));
  }

  private AuditReport report(InstantSource clock) {
    return report(clock, new Window(Instant.MIN, Instant.MAX));
  }

  private AuditReport report(InstantSource clock, Window asked) {
    return AuditReport.of(AuditTopics.read(source(), Optional.empty(), clock), asked);
  }

  private AuditTopics.Source source() {
    return source(Long.MAX_VALUE);
  }

  private AuditTopics.Source source(long mostBytes) {
    return new AuditTopics.Source(
        new TopicReader(this::consumer), topics, SchemaSource.none(), ZoneOffset.UTC, mostBytes);
  }

  private static Instant at(double number) {
    return START.plusMillis(Math.round(number * 10_000));
  }

  private static Schedule schedule() {
    return ScheduleJson.read(
            "{\"every\":\"10s\",\"timezone\":\"UTC\"}".getBytes(UTF_8), ZoneOffset.UTC)
        .schedule();
  }

  private Revision revision() {
    return Revision.newBuilder()
        .setScheduleId(id)
        .setRevision(REVISION)
        .setSchedule(schedule())
        .setOwnsAfter(START)
        .setEffectiveAt(START)
        .setAcceptedAt(START)
        .setResolvedAt(START)
        .setTzdb("2026a")
        .build();
  }

  private ScheduleStatus status(State state, double since) {
    return ScheduleStatus.newBuilder()
        .setScheduleId(id)
        .setState(state)
        .setRevision(REVISION)
        .setSince(at(since))
        .build();
  }

  private Fire fire(double number) {
    return Fire.newBuilder()
        .setFireId("id-" + number)
        .setScheduleId(id)
        .setOccurrence(at(number))
        .setDue(at(number))
        .setFiredAt(at(number))
        .setCause(Cause.SCHEDULED)
        .setRevision(REVISION)
        .setSchedule(schedule())
        .build();
  }

  private Missed missed() {
    return Missed.newBuilder()
        .setScheduleId(id)
        .setRevision(REVISION)
        .setFirst(at(2))
        .setLast(at(3))
        .setCount(2)
        .setReason(MissedReason.PAUSED)
        .setPausedSince(at(1.5))
        .setDecidedAt(at(3.5))
        .build();
  }

  private static Watermark watermark(double through) {
    return Watermark.newBuilder()
        .setPartition(0)
        .setDecidedThrough(at(through))
        .setWrittenAt(at(through))
        .setInstance("i")
        .setTzdb("2026a")
        .setLive(1)
        .setCatchingUp(0)
        .setFired(0)
        .setMissed(0)
        .setWalked(0)
        .setRepaired(0)
        .setFaulted(0)
        .setRejected(0)
        .build();
  }

  private <T extends SpecificRecordBase> void write(
      String topic, int partition, double number, RecordCodec<T> codec, T value) {
    String key = value instanceof Fire fire ? fireKey(fire.getOccurrence()) : id;
    write(topic, partition, number, codec, value, key, new RecordHeaders());
  }

  private String fireKey(Instant occurrence) {
    return FireKey.of(ScheduleId.parse(id), occurrence).text();
  }

  private <T extends SpecificRecordBase> void write(
      String topic,
      int partition,
      double number,
      RecordCodec<T> codec,
      T value,
      String key,
      RecordHeaders headers) {
    long offset =
        beginning(topic, partition)
            + records.stream().filter(one -> isIn(one, topic, partition)).count();
    records.add(
        new ConsumerRecord<>(
            topic,
            partition,
            offset,
            at(number).toEpochMilli(),
            TimestampType.CREATE_TIME,
            1,
            1,
            key.getBytes(UTF_8),
            codec.encode(value, WireFormat.AVRO),
            headers,
            Optional.empty()));
  }

  private int partitions(String topic) {
    return topic.equals(topics.fires())
        ? partitionsOfFires
        : topic.equals(topics.schedules()) ? partitionsOfSchedules : 1;
  }

  private long beginning(String topic, int partition) {
    return removed.getOrDefault(topic + "-" + partition, removed.getOrDefault(topic, 0L));
  }

  private static boolean isIn(ConsumerRecord<byte[], byte[]> record, String topic, int partition) {
    return record.topic().equals(topic) && record.partition() == partition;
  }

  private Consumer<byte[], byte[]> consumer() {
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name()) {
          @Override
          public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
              Map<TopicPartition, Long> times) {
            Map<TopicPartition, OffsetAndTimestamp> first = new HashMap<>();
            times.forEach((one, ms) -> first.put(one, new OffsetAndTimestamp(0, ms)));
            return first;
          }
        };
    Map<TopicPartition, Long> beginnings = new HashMap<>();
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (String topic :
        List.of(
            topics.schedules(),
            topics.commands(),
            topics.revisions(),
            topics.fires(),
            topics.missed(),
            topics.status(),
            topics.watermarks(),
            topics.outcomes(),
            topics.waiting())) {
      boolean hasGrown = topic.equals(topics.status()) || topic.equals(topics.watermarks());
      List<PartitionInfo> partitions =
          IntStream.range(0, hasGrown ? 2 : partitions(topic))
              .mapToObj(n -> new PartitionInfo(topic, n, Node.noNode(), new Node[0], new Node[0]))
              .toList();
      consumer.updatePartitions(topic, partitions);
      partitions.forEach(
          one -> {
            TopicPartition partition = new TopicPartition(topic, one.partition());
            long beginning = beginning(topic, one.partition());
            beginnings.put(partition, beginning);
            ends.put(
                partition,
                beginning
                    + records.stream()
                        .filter(record -> isIn(record, topic, one.partition()))
                        .count());
          });
    }
    consumer.updateBeginningOffsets(beginnings);
    consumer.updateEndOffsets(ends);
    consumer.schedulePollTask(
        () ->
            records.stream()
                .filter(
                    record ->
                        consumer
                            .assignment()
                            .contains(new TopicPartition(record.topic(), record.partition())))
                .forEach(consumer::addRecord));
    return consumer;
  }
}
