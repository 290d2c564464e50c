package io.waterclock.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.testkit.model.Accounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records on their way through intake, scheduler and router. */
final class DelayedRecordsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Topics TOPICS = Topics.ofDefault();
  private static final long SEED = Long.getLong("waterclock.seed", 1);

  private final DelayedRecords records = new DelayedRecords(NOW);

  @AfterEach
  void close() {
    records.close();
  }

  @Test
  void ten_thousand_random_records_arrive_byte_for_byte_once_when_they_are_due() {
    SplittableRandom random = new SplittableRandom(SEED);
    Map<String, TestRecord<byte[], byte[]>> sent = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      TestRecord<byte[], byte[]> own = random(random);
      String name = "n-" + i;
      Headers headers = new RecordHeaders(shuffledIn(own.headers(), name, random));
      records.send(new TestRecord<>(own.key(), own.value(), headers, NOW));
      sent.put(name, own);
    }
    assertThat(records.arrived()).isEmpty();
    records.scheduler.advance(Duration.ofMinutes(2));
    List<TestRecord<byte[], byte[]>> arrived = records.arrived();
    assertThat(records.dead()).as("seed %s", SEED).isEmpty();
    assertThat(arrived).as("seed %s", SEED).hasSize(sent.size());
    for (TestRecord<byte[], byte[]> record : arrived) {
      Header[] all = record.headers().toArray();
      Header last = all[all.length - 1];
      assertThat(last.key()).isEqualTo("waterclock-id");
      TestRecord<byte[], byte[]> own = sent.remove(new String(last.value(), UTF_8));
      assertThat(own).as("seed %s", SEED).isNotNull();
      assertThat(record.key()).isEqualTo(own.key());
      assertThat(record.value()).isEqualTo(own.value());
      assertThat(Arrays.copyOf(all, all.length - 1)).isEqualTo(own.headers().toArray());
    }
    assertThat(sent).isEmpty();
    records.scheduler.advance(Duration.ofHours(3));
    assertThat(records.arrived()).isEmpty();
  }

  @Test
  void records_of_one_key_for_one_instant_arrive_in_the_order_in_which_they_were_sent() {
    for (int i = 0; i < 1_200; i++) {
      records.send(record("k", Integer.toString(i), "waterclock-at", "2026-11-21T11:00:00Z"));
    }
    records.scheduler.advance(Duration.ofHours(1));
    for (int i = 1_200; i < 1_300; i++) { // too late: at once
      records.send(record("k", Integer.toString(i), "waterclock-at", "2026-11-21T11:00:00Z"));
    }
    records.scheduler.advance(Duration.ofSeconds(1));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 1_300; i++) {
      expected.add(Integer.toString(i));
    }
    assertThat(values()).isEqualTo(expected);
  }

  /** The fifth large one uses up its owner's rate; the small one must not overtake those behind. */
  @Test
  void records_of_many_bytes_keep_their_order_too() {
    for (int i = 0; i < 8; i++) {
      String value = i + (i == 6 ? "-" : "x".repeat(300_000));
      records.send(record("k", value, "waterclock-at", "2026-11-21T11:00:00Z"));
    }
    for (int i = 8; i < 1_200; i++) {
      records.send(record("k", i + "y".repeat(10_000), "waterclock-at", "2026-11-21T11:00:00Z"));
    }
    records.scheduler.advance(Duration.ofHours(1).plusSeconds(10));
    assertThat(values())
        .extracting(value -> Integer.valueOf(value.replaceAll("[^0-9].*", "")))
        .hasSize(1_200)
        .isSorted();
  }

  @Test
  void the_same_id_moves_a_record_and_a_cancellation_or_a_tombstone_of_it_keeps_it_from_arriving() {
    send("moved", "1", "waterclock-in", "1h");
    send("moved", "2", "waterclock-in", "2h");
    send("sooner", "1", "waterclock-in", "2h");
    send("sooner", "2", "waterclock-in", "30min");
    send("cancelled", "1", "waterclock-in", "1h");
    send("deleted", "1", "waterclock-in", "1h");
    records.scheduler.advance(Duration.ofMinutes(40));
    assertThat(values()).containsExactly("sooner 2");
    send("cancelled", "", HeaderNames.CANCEL, "true");
    records.scheduler.delete("deleted");
    records.scheduler.advance(Duration.ofMinutes(60));
    assertThat(values()).isEmpty();
    records.scheduler.advance(Duration.ofMinutes(60));
    assertThat(values()).containsExactly("moved 2");
  }

  /** Two records with one id and other keys are in two partitions, which the intake reads apart. */
  @Test
  void of_two_records_with_one_id_the_one_that_was_written_later_counts() {
    records.scheduler.advance(Duration.ofSeconds(10));
    sendAt(NOW.plusSeconds(9), "a", "new", "waterclock-at", "2026-11-21T12:00:00Z");
    sendAt(NOW.plusSeconds(8), "a", "old", "waterclock-at", "2026-11-21T11:00:00Z");
    sendAt(NOW.plusSeconds(7), "b", "old", "waterclock-at", "2026-11-21T11:00:00Z");
    sendAt(NOW.plusSeconds(9), "b", "", HeaderNames.CANCEL, "true");
    sendAt(NOW.plusSeconds(8), "b", "old", "waterclock-at", "2026-11-21T11:30:00Z");
    records.scheduler.advance(Duration.ofHours(3));
    assertThat(values()).containsExactly("a new");
  }

  /** Which came last is not known, so neither is lost in silence. */
  @Test
  void a_record_that_was_written_in_the_millisecond_of_its_cancellation_is_a_dead_letter() {
    records.scheduler.advance(Duration.ofSeconds(10));
    sendAt(NOW.plusSeconds(9), "a", "", HeaderNames.CANCEL, "true");
    sendAt(NOW.plusSeconds(9), "a", "1", "waterclock-in", "1h");
    records.scheduler.advance(Duration.ofHours(2));
    assertThat(values()).isEmpty();
    assertThat(records.dead())
        .singleElement()
        .extracting(dead -> new String(dead.headers().lastHeader(HeaderNames.ERROR).value(), UTF_8))
        .asString()
        .contains("in the millisecond in which this was written");
  }

  @Test
  void a_record_that_is_read_again_does_not_arrive_again() {
    TestRecord<byte[], byte[]> record = named("a", "1", "waterclock-in", "1h");
    records.send(record);
    records.send(record);
    records.scheduler.advance(Duration.ofMinutes(61));
    records.send(record);
    records.scheduler.advance(Duration.ofMinutes(1));
    assertThat(values()).containsExactly("a 1");
  }

  @Test
  void an_id_is_free_again_when_its_record_has_arrived() {
    send("a", "1", "waterclock-in", "1h");
    records.scheduler.advance(Duration.ofMinutes(61));
    send("a", "2", "waterclock-in", "1h");
    records.scheduler.advance(Duration.ofMinutes(61));
    assertThat(values()).containsExactly("a 1", "a 2");
  }

  @Test
  void a_record_of_later_changes_and_deletes_no_schedule_that_is_no_delayed_record() {
    records.scheduler.put("nightly", "{\"every\":\"1h\",\"anchor\":\"2026-11-21T00:00:00Z\"}");
    send("nightly", "1", "waterclock-in", "5min");
    send("nightly", "", HeaderNames.CANCEL, "true");
    records.scheduler.advance(Duration.ofHours(2));

    assertThat(records.arrived()).isEmpty();
    assertThat(records.scheduler.fires("nightly")).hasSize(2);
    assertThat(records.dead())
        .extracting(letter -> new String(letter.headers().lastHeader("waterclock-error").value()))
        .containsOnly(
            "waterclock-id: names the schedule \"nightly\", which is no delayed record; choose"
                + " another id")
        .hasSize(2);
    assertThat(last(TOPICS.schedules(), "nightly")).isPresent();
  }

  @Test
  void an_outage_delays_records_and_loses_none() {
    send("a", "1", "waterclock-in", "1h");
    records.scheduler.stop();
    records.scheduler.advance(Duration.ofDays(2));
    send("b", "1", "waterclock-in", "0s");
    records.scheduler.start();
    records.scheduler.advance(Duration.ofMinutes(1));
    assertThat(values()).containsExactlyInAnyOrder("a 1", "b 1");
  }

  @Test
  void a_name_that_is_used_again_in_an_outage_delivers_both_records_each_at_its_time() {
    send("a", "1", "waterclock-in", "1h");
    records.scheduler.stop();
    records.scheduler.advance(Duration.ofMinutes(90));
    send("a", "2", "waterclock-in", "3h");
    records.scheduler.advance(Duration.ofHours(1));
    records.scheduler.start();
    records.scheduler.advance(Duration.ofMinutes(1));
    assertThat(values()).containsExactly("a 1");
    records.scheduler.advance(Duration.ofHours(2));
    assertThat(values()).containsExactly("a 2");
  }

  @Test
  void a_delivered_record_leaves_a_tombstone_and_an_account_that_the_audit_proves() {
    String large = "x".repeat(10_000);
    send("a", large, "waterclock-in", "1h");
    send("b", large, "waterclock-in", "1h");
    records.scheduler.advance(Duration.ofMinutes(30));
    send("b", "", HeaderNames.CANCEL, "true");
    records.scheduler.advance(Duration.ofMinutes(31));

    assertThat(values()).containsExactly("a " + large);
    assertThat(last(TOPICS.schedules(), "a")).isEmpty();
    assertThat(last(TOPICS.status(), "a")).isEmpty();
    List<Revision> revisions = records.scheduler.revisions();
    assertThat(revisions)
        .extracting(revision -> revision.getScheduleId() + " " + revision.getEndedBy())
        .containsExactlyInAnyOrder("a null", "b null", "b DELETED", "a COMPLETED");
    assertThat(revisions).allMatch(revision -> revision.getSchedule().getPayload() == null);
    Accounts.mustBalance(records.scheduler);
  }

  /** As docs/later.md says. */
  @Test
  void a_delayed_record_costs_its_content_three_times_beside_what_its_sender_and_its_target_hold() {
    String content = "x".repeat(1_000);
    send("a", content, "waterclock-in", "1h");
    records.scheduler.advance(Duration.ofHours(3));
    assertThat(values()).containsExactly("a " + content);

    Map<String, String> costs = new TreeMap<>();
    for (String topic :
        List.of(
            TOPICS.schedules(),
            TOPICS.status(),
            TOPICS.revisions(),
            TOPICS.missed(),
            TOPICS.fires(),
            "waterclock-harness-schedules-changelog",
            "waterclock-harness-progress-changelog",
            "waterclock-harness-commands-changelog")) {
      List<TestRecord<byte[], byte[]>> written =
          records.scheduler.records(topic).stream().filter(DelayedRecordsTest::isOfA).toList();
      long whole =
          written.stream()
              .filter(record -> record.value() != null)
              .filter(record -> new String(record.value(), UTF_8).contains(content))
              .count();
      costs.put(topic, written.size() + " records, " + whole + " with the content");
    }
    assertThat(costs)
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    "waterclock.schedules", "1 records, 0 with the content",
                    "waterclock.status", "2 records, 0 with the content",
                    "waterclock.revisions", "2 records, 0 with the content",
                    "waterclock.missed", "0 records, 0 with the content",
                    "waterclock.fires", "1 records, 1 with the content",
                    "waterclock-harness-schedules-changelog", "2 records, 1 with the content",
                    "waterclock-harness-progress-changelog", "2 records, 0 with the content",
                    "waterclock-harness-commands-changelog", "0 records, 0 with the content")));
  }

  private static boolean isOfA(TestRecord<byte[], byte[]> record) {
    String key = new String(record.key(), UTF_8);
    return key.endsWith("a") || key.startsWith("a|");
  }

  private Optional<byte[]> last(String topic, String id) {
    return records.scheduler.records(topic).stream()
        .filter(record -> new String(record.key(), UTF_8).equals(id))
        .reduce((before, latest) -> latest)
        .flatMap(record -> Optional.ofNullable(record.value()));
  }

  private void send(String id, String value, String header, String text) {
    records.send(named(id, value, header, text));
  }

  private void sendAt(Instant written, String id, String value, String header, String text) {
    TestRecord<byte[], byte[]> record = named(id, value, header, text);
    records.send(new TestRecord<>(record.key(), record.value(), record.headers(), written));
  }

  private TestRecord<byte[], byte[]> named(String id, String value, String header, String text) {
    TestRecord<byte[], byte[]> record = record(id, id + " " + value, header, text);
    record.headers().add(HeaderNames.ID, id.getBytes(UTF_8));
    return record;
  }

  private TestRecord<byte[], byte[]> record(String key, String value, String header, String text) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.TARGET, DelayedRecords.TARGET.getBytes(UTF_8));
    headers.add(header, text.getBytes(UTF_8));
    return new TestRecord<>(
        key.getBytes(UTF_8), value.getBytes(UTF_8), headers, records.scheduler.now());
  }

  private List<String> values() {
    return records.arrived().stream().map(record -> new String(record.value(), UTF_8)).toList();
  }

  /** A record of any kind: null and empty keys, values and headers, and headers with one name. */
  private static TestRecord<byte[], byte[]> random(SplittableRandom random) {
    RecordHeaders headers = new RecordHeaders();
    List<String> names =
        List.of("", "a", "a", "ce_id", "waterclock-fire-key", "Ünïcode €", "schedule-a");
    for (int i = random.nextInt(6); i > 0; i--) {
      headers.add(
          new RecordHeader(
              names.get(random.nextInt(names.size())), bytes(random, random.nextInt(20))));
    }
    return new TestRecord<>(bytes(random, 30), bytes(random, random.nextInt(300)), headers, NOW);
  }

  private static byte @Nullable [] bytes(SplittableRandom random, int most) {
    if (random.nextInt(5) == 0) {
      return null;
    }
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** The record's own headers in their order, with those for Waterclock anywhere between them. */
  private static Header[] shuffledIn(Headers own, String name, SplittableRandom random) {
    List<Header> all = new ArrayList<>(List.of(own.toArray()));
    boolean isIn = random.nextBoolean();
    List<Header> control =
        List.of(
            new RecordHeader(HeaderNames.ID, name.getBytes(UTF_8)),
            new RecordHeader(HeaderNames.TARGET, DelayedRecords.TARGET.getBytes(UTF_8)),
            new RecordHeader(
                isIn ? HeaderNames.IN : HeaderNames.AT,
                (isIn
                        ? random.nextInt(100) + "s"
                        : Long.toString(NOW.toEpochMilli() + 1_000L * random.nextInt(100)))
                    .getBytes(UTF_8)));
    control.forEach(header -> all.add(random.nextInt(all.size() + 1), header));
    return all.toArray(Header[]::new);
  }
}
