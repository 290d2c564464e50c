package io.waterclock.client.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.retry.RetryHeaders;
import io.waterclock.client.retry.RetryLater;
import io.waterclock.client.rules.PastAttempts;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.topology.scheduler.emit.DeadLetter;
import io.waterclock.topology.scheduler.input.Inbound;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the scheduler writes as a dead letter, and what a redrive makes of it. */
final class RecordThroughQueueTest {
  private static final Topics TOPICS = Topics.ofDefault();
  private static final Instant WRITTEN = Instant.ofEpochMilli(1_800_000_000_123L);
  private static final Instant READ = WRITTEN.plusSeconds(3600);
  private static final int LIMIT = 1_000_000;

  @Test
  void any_record_goes_back_byte_for_byte_with_one_header_more() {
    long seed = Long.getLong("waterclock.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      byte[] key = bytes(random);
      byte[] value = bytes(random);
      List<Header> headers = headers(random);
      Destination.To to =
          (Destination.To) destination(letter(key, value, headers, TOPICS.commands(), 7));
      ProducerRecord<byte[], byte[]> sent = to.record(1, 12);
      assertThat(sent.topic()).isEqualTo("waterclock.commands");
      assertThat(sent.partition()).isEqualTo(7);
      assertThat(sent.timestamp()).isEqualTo(1_800_000_000_123L);
      assertThat(sent.key()).as("seed %s", seed).isEqualTo(key);
      assertThat(sent.value()).as("seed %s", seed).isEqualTo(value);
      List<Header> all = List.of(sent.headers().toArray());
      assertThat(all.subList(0, all.size() - 1)).as("seed %s", seed).isEqualTo(headers);
      assertThat(text(all.get(all.size() - 1))).isEqualTo("waterclock-redriven=1");
    }
  }

  @Test
  void a_record_that_fails_again_counts_and_goes_where_it_was_at_first() {
    ConsumerRecord<byte[], byte[]> first =
        letter(utf8("a"), utf8("v"), List.of(), TOPICS.schedules(), 3);
    ProducerRecord<byte[], byte[]> again = ((Destination.To) destination(first)).record(1, 12);
    ConsumerRecord<byte[], byte[]> second =
        letter(again.key(), again.value(), List.of(again.headers().toArray()), again.topic(), 3);
    assertThat(FailedRecord.of(second).from().redriven()).isEqualTo(1);
    assertThat(headers(((Destination.To) destination(second)).record(2, 12)))
        .containsExactly("waterclock-redriven=2");
  }

  @Test
  void a_partition_that_is_gone_is_left_to_the_producer() {
    Destination.To to =
        (Destination.To) destination(letter(utf8("a"), null, List.of(), TOPICS.commands(), 7));
    assertThat(to.record(1, 8).partition()).isEqualTo(7);
    assertThat(to.record(1, 7).partition()).isNull();
  }

  @Test
  void what_is_not_whole_or_has_no_place_or_is_for_a_group_goes_nowhere() {
    ConsumerRecord<byte[], byte[]> cut =
        letter(utf8("a"), new byte[2 * LIMIT], List.of(), TOPICS.commands(), 0);
    assertThat(why(cut)).isEqualTo("the dead letter leaves out a part of the record");
    assertThat(why(record(utf8("a"), utf8("v"), new RecordHeaders())))
        .isEqualTo("its headers do not say where the record was");
    assertThat(why(letter(utf8("a|b"), utf8("v"), List.of(), TOPICS.fires(), 0)))
        .contains("its headers name no group of workers");
    assertThat(why(letter(utf8("a"), utf8("v"), List.of(), TOPICS.strays(), 0)))
        .isEqualTo("waterclock.strays is written by Waterclock alone");
  }

  /** A redrive of yesterday's calendar would replace the one of today. */
  @Test
  void a_calendar_or_a_limit_stays_since_the_record_that_is_written_last_counts() {
    assertThat(why(letter(utf8("holidays"), utf8("v"), List.of(), TOPICS.calendars(), 0)))
        .isEqualTo(
            "in waterclock.calendars the record that is written last counts, so a redrive could"
                + " replace a newer one: waterclock calendar put writes it again");
    assertThat(why(letter(utf8("etl"), utf8("v"), List.of(), TOPICS.limits(), 0)))
        .isEqualTo(
            "in waterclock.limits the record that is written last counts, so a redrive could"
                + " replace a newer one: waterclock limits put writes it again");
    assertThat(Destination.isUsual(TOPICS.calendars(), TOPICS)).isFalse();
  }

  /** As one that the intake refuses: a retry that is too large, or whose target is not allowed. */
  @Test
  void a_record_that_waited_for_a_retry_keeps_its_headers_when_it_is_refused_on_its_way() {
    Headers waiting =
        RetryHeaders.waiting(
            new RecordHeaders(List.of(header("own", "1"))),
            "orders.retries",
            "billing",
            PastAttempts.of(1, 2),
            "no stock");
    List<Header> headers = List.of(waiting.toArray());
    Destination.To to =
        (Destination.To) destination(letter(utf8("k"), utf8("v"), headers, TOPICS.later(), 5));
    List<Header> sent = List.of(to.record(1, 12).headers().toArray());
    assertThat(to.topic()).isEqualTo(TOPICS.later());
    assertThat(sent.subList(0, sent.size() - 1)).isEqualTo(headers);
  }

  @Test
  void what_a_consumer_gives_up_after_retries_goes_back_to_its_group_alone_with_all_of_them() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    RetryLater<byte[], byte[]> retryLater =
        RetryLater.builder(producer, "billing")
            .returnTo("orders.retries")
            .after(RetryPlan.parse("1m"))
            .build();
    RecordHeaders own = new RecordHeaders(List.of(header("own", "1")));
    retryLater.retry(received("orders", own), new IllegalStateException("no stock"));
    Headers returned = producer.history().get(0).headers();
    retryLater.retry(received("orders.retries", returned), new IllegalStateException("no stock"));
    ProducerRecord<byte[], byte[]> dead = producer.history().get(1);
    assertThat(dead.topic()).isEqualTo(TOPICS.dlq());
    ConsumerRecord<byte[], byte[]> letter =
        record(dead.key(), dead.value(), new RecordHeaders(dead.headers()));
    ProducerRecord<byte[], byte[]> sent = ((Destination.To) destination(letter)).record(1, 12);
    assertThat(sent.topic()).isEqualTo("orders.retries");
    ConsumerRecord<byte[], byte[]> again = received(sent.topic(), sent.headers());
    assertThat(retryLater.isForOthers(again)).isFalse();
    assertThat(retryLater.attempt(again)).isEqualTo(1);
    assertThat(RetryLater.builder(producer, "mail").build().isForOthers(again)).isTrue();
    assertThat(
            RetryLater.builder(producer, "mail")
                .build()
                .isForOthers(received("x", again.headers())))
        .as("another topic, to which someone has copied the headers")
        .isFalse();
  }

  private static ConsumerRecord<byte[], byte[]> received(String topic, Headers headers) {
    return new ConsumerRecord<>(
        topic,
        1,
        9,
        WRITTEN.toEpochMilli(),
        TimestampType.CREATE_TIME,
        0,
        0,
        utf8("k"),
        utf8("v"),
        headers,
        Optional.empty());
  }

  @Test
  void a_fire_of_a_worker_goes_to_its_group_alone_as_if_it_had_never_waited() {
    List<Header> headers =
        List.of(
            header("ce_id", "f"),
            header(HeaderNames.GROUP, "reports"),
            header(HeaderNames.RETRIES, "4"),
            header(HeaderNames.ATTEMPTS, "20"),
            header(HeaderNames.ERROR, "no database"));
    for (String from : List.of(TOPICS.fires(), TOPICS.retries())) {
      List<Header> own = from.equals(TOPICS.fires()) ? headers.subList(0, 1) : headers;
      ConsumerRecord<byte[], byte[]> letter = letter(utf8("a|b"), utf8("v"), own, from, 5);
      letter.headers().add(HeaderNames.GROUP, utf8("reports"));
      assertThat(FailedRecord.of(letter).schedule(TOPICS)).as(from).contains("a");
      ProducerRecord<byte[], byte[]> sent = ((Destination.To) destination(letter)).record(1, 12);
      assertThat(sent.topic()).isEqualTo(TOPICS.retries());
      assertThat(sent.partition()).isEqualTo(5);
      assertThat(sent.key()).isEqualTo(utf8("a|b"));
      assertThat(headers(sent))
          .startsWith(
              "ce_id=f",
              "waterclock-group=reports",
              "waterclock-returns-to=waterclock.retries",
              "waterclock-retries=0",
              "waterclock-attempts=0")
          .hasSize(7)
          .endsWith("waterclock-redriven=1");
    }
  }

  @Test
  void an_undelivered_fire_becomes_the_record_of_its_target() {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new OnceTrigger(WRITTEN, null))
            .setPayload(ByteBuffer.wrap(utf8("cart")))
            .setTarget(new Target("orders", "42", TargetValue.PAYLOAD, null))
            .build();
    schedule.getHeaders().put("lang", "en");
    Fire fire =
        Fire.newBuilder()
            .setFireId("f")
            .setScheduleId("a")
            .setOccurrence(WRITTEN)
            .setDue(WRITTEN)
            .setFiredAt(WRITTEN)
            .setCause(Cause.SCHEDULED)
            .setRevision("waterclock.schedules-0@0")
            .setSchedule(schedule)
            .build();
    List<Header> headers = new ArrayList<>();
    headers.add(header("ce_id", "f"));
    headers.add(header(HeaderNames.TARGET, "orders"));
    byte[] key = utf8("a|2027-01-15T08:00:00.123Z");
    ConsumerRecord<byte[], byte[]> letter =
        letter(key, RecordCodecs.fire().encode(fire, Encoding.AVRO), headers, TOPICS.fires(), 5);
    ProducerRecord<byte[], byte[]> sent = ((Destination.To) destination(letter)).record(1, 3);
    assertThat(sent.topic()).isEqualTo("orders");
    assertThat(sent.partition()).isNull();
    assertThat(sent.key()).isEqualTo(utf8("42"));
    assertThat(sent.value()).isEqualTo(utf8("cart"));
    assertThat(headers(sent))
        .containsExactly(
            "ce_id=f",
            "waterclock-fire-key=a|2027-01-15T08:00:00.123Z",
            "lang=en",
            "waterclock-redriven=1");
    assertThat(FailedRecord.of(letter).schedule(TOPICS)).contains("a");
  }

  @Test
  void a_dead_letter_is_no_resolution_whatever_headers_its_record_had() {
    List<Header> forged =
        List.of(header(HeaderNames.RESOLVED, "discarded"), header(HeaderNames.RESOLVES, "0"));
    ConsumerRecord<byte[], byte[]> letter =
        letter(utf8("a"), utf8("v"), forged, TOPICS.commands(), 0);
    assertThat(Resolution.is(letter)).isFalse();
    assertThat(Resolution.of(letter)).isEmpty();
  }

  private static Destination destination(ConsumerRecord<byte[], byte[]> letter) {
    return Destination.of(FailedRecord.of(letter), TOPICS, SchemaSource.none());
  }

  private static String why(ConsumerRecord<byte[], byte[]> letter) {
    return ((Destination.Nowhere) destination(letter)).why();
  }

  /** As the scheduler writes it. */
  private static ConsumerRecord<byte[], byte[]> letter(
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<Header> headers,
      String topic,
      int partition) {
    Inbound inbound =
        new Inbound(
            Optional.ofNullable(key),
            Optional.ofNullable(value),
            new RecordHeaders(headers),
            WRITTEN,
            topic,
            partition,
            9);
    DeadLetter letter = DeadLetter.of(inbound, "no", LIMIT);
    return record(letter.key().orElse(null), letter.value().orElse(null), letter.headers());
  }

  private static ConsumerRecord<byte[], byte[]> record(
      byte @Nullable [] key, byte @Nullable [] value, RecordHeaders headers) {
    return new ConsumerRecord<>(
        TOPICS.dlq(),
        2,
        17,
        READ.toEpochMilli(),
        TimestampType.CREATE_TIME,
        0,
        0,
        key,
        value,
        headers,
        Optional.empty());
  }

  private static byte @Nullable [] bytes(SplittableRandom random) {
    int length = random.nextInt(-1, 40);
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Some with names that dead letters have, too, as a copied record may. */
  private static List<Header> headers(SplittableRandom random) {
    List<String> names =
        List.of(
            "a",
            "b",
            "",
            HeaderNames.ERROR,
            HeaderNames.ORIGIN_TOPIC,
            HeaderNames.GROUP,
            HeaderNames.CUT);
    List<Header> headers = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      headers.add(new RecordHeader(names.get(random.nextInt(names.size())), bytes(random)));
    }
    return headers;
  }

  private static List<String> headers(ProducerRecord<byte[], byte[]> record) {
    List<String> texts = new ArrayList<>();
    record.headers().forEach(header -> texts.add(text(header)));
    return texts;
  }

  private static Header header(String name, String text) {
    return new RecordHeader(name, utf8(text));
  }

  private static String text(Header header) {
    return header.key() + "=" + new String(header.value(), UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }
}
