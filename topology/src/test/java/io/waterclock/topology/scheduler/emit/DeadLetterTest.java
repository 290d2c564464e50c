package io.waterclock.topology.scheduler.emit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordSize;
import io.waterclock.topology.scheduler.input.RecordTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeadLetterTest {
  private static final int LIMIT = 10_000;

  /** In characters of one, two and four bytes. */
  private static final List<String> REASONS =
      List.of("", "e".repeat(14_000), "\u00fc".repeat(5_000), "\uD83D\uDE00".repeat(100_000));

  @Test
  void a_record_is_kept_as_received_with_headers_that_say_why_and_where() {
    RecordHeaders received = new RecordHeaders();
    received.add("mine", new byte[] {9});
    DeadLetter letter = DeadLetter.of(inbound(3, 100, received), "bad", LIMIT);
    assertThat(letter.key().orElseThrow()).hasSize(3);
    assertThat(letter.value().orElseThrow()).hasSize(100);
    assertThat(text(letter, HeaderNames.ERROR)).isEqualTo("bad");
    assertThat(text(letter, HeaderNames.ORIGIN_TOPIC)).isEqualTo("schedules");
    assertThat(text(letter, HeaderNames.ORIGIN_PARTITION)).isEqualTo("4");
    assertThat(text(letter, HeaderNames.ORIGIN_OFFSET)).isEqualTo("5");
    assertThat(letter.headers().lastHeader("mine")).isNotNull();
  }

  @Test
  void what_is_too_large_is_cut_and_says_so() {
    RecordHeaders received = new RecordHeaders();
    received.add("mine", new byte[20_000]);
    DeadLetter letter = DeadLetter.of(inbound(20_000, 30_000, received), "bad", LIMIT);
    int size = letter.key().orElseThrow().length + letter.value().orElseThrow().length;
    for (Header header : letter.headers()) {
      size += header.key().length() + header.value().length;
    }
    assertThat(size).isLessThan(LIMIT);
    assertThat(letter.headers().lastHeader("mine")).isNull();
    assertThat(text(letter, HeaderNames.ERROR))
        .startsWith("bad; cut")
        .contains("20000 bytes of key and 30000 of value");
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 9_000, 100_000, 1_048_576})
  void no_dead_letter_is_larger_than_the_limit_whatever_it_is_made_of(int limit) {
    RecordHeaders received = new RecordHeaders();
    received.add("\u00fc".repeat(100), new byte[300]);
    received.add("none", null);
    for (String reason : REASONS) {
      for (int keySize : List.of(0, 3, limit / 2, limit)) {
        for (int less : List.of(-20_000, 0, 200, 4_096, 8_000, 9_216, 14_000)) {
          Inbound inbound = far(keySize, Math.max(0, limit - keySize - less), received);
          DeadLetter letter = DeadLetter.of(inbound, reason, limit);
          assertThat(size(letter.key(), letter.value(), letter.headers()))
              .as("key %s, %s less than the limit", keySize, less)
              .isLessThanOrEqualTo(limit);
        }
      }
    }
  }

  @Test
  void what_leaves_9_kib_of_the_limit_is_kept_as_received_whatever_the_reason() {
    RecordHeaders received = new RecordHeaders();
    received.add("mine", new byte[] {9});
    int limit = 1_048_576;
    int others = RecordSize.of(new byte[3], new byte[0], received);
    Inbound inbound = far(3, limit - 9 * 1024 - others, received);
    for (String reason : REASONS) {
      DeadLetter letter = DeadLetter.of(inbound, reason, limit);
      assertThat(letter.key().orElseThrow()).isSameAs(inbound.key().orElseThrow());
      assertThat(letter.value().orElseThrow()).isSameAs(inbound.value().orElseThrow());
      assertThat(letter.headers().lastHeader("mine")).isNotNull();
    }
  }

  @Test
  void a_long_reason_is_cut_after_a_whole_character() {
    Inbound inbound = inbound(3, 100, new RecordHeaders());
    DeadLetter letter = DeadLetter.of(inbound, "\u00fc".repeat(5_000), 1_000_000);
    assertThat(text(letter, HeaderNames.ERROR)).isEqualTo("\u00fc".repeat(4_094) + "...");
  }

  @Test
  void sizes_are_reckoned_as_the_producer_reckons_them_and_generously() {
    RecordHeaders headers = new RecordHeaders();
    headers.add("\u00fc".repeat(100), new byte[10_000]);
    headers.add("none", null);
    for (int length : List.of(0, 64, 2_000_000)) {
      byte[] bytes = new byte[length];
      int reckoned = size(Optional.of(bytes), Optional.of(bytes), headers);
      assertThat(RecordSize.of(bytes, bytes, headers)).isBetween(reckoned, reckoned + 50);
    }
    int reckoned = size(Optional.empty(), Optional.empty(), headers);
    assertThat(RecordSize.of(null, null, headers)).isBetween(reckoned, reckoned + 50);
  }

  @Test
  void a_long_list_of_problems_is_cut_and_says_so() {
    Problem problem =
        Problem.newBuilder()
            .setField("f".repeat(5_000))
            .setMessage("m".repeat(5_000))
            .setExample("e")
            .build();
    List<Problem> problems = BoundedText.problems(Collections.nCopies(70, problem));
    assertThat(problems).hasSize(51);
    assertThat(problems.get(0).getField()).hasSizeLessThan(1_010);
    assertThat(problems.get(50).getMessage()).isEqualTo("and 20 more problems");
  }

  @Test
  void a_record_without_a_timestamp_is_from_now() {
    RecordTime time = new RecordTime(() -> Instant.ofEpochMilli(77));
    assertThat(time.extract(record(-1), 5)).isEqualTo(77);
    assertThat(time.extract(record(66), 5)).isEqualTo(66);
  }

  private static ConsumerRecord<Object, Object> record(long timestamp) {
    return new ConsumerRecord<>(
        "schedules",
        0,
        0,
        timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        new byte[0],
        new byte[0],
        new RecordHeaders(),
        Optional.empty());
  }

  /** As the producer reckons it. */
  private static int size(Optional<byte[]> key, Optional<byte[]> value, RecordHeaders headers) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        key.orElse(null),
        value.orElse(null),
        headers.toArray());
  }

  private static Inbound inbound(int keySize, int valueSize, RecordHeaders headers) {
    return inbound(keySize, valueSize, headers, "schedules", 4, 5);
  }

  private static Inbound inbound(
      int keySize, int valueSize, RecordHeaders headers, String topic, int partition, long offset) {
    return new Inbound(
        Optional.of(new byte[keySize]),
        Optional.of(new byte[valueSize]),
        headers,
        Instant.EPOCH,
        topic,
        partition,
        offset);
  }

  /** From a place whose name has the most bytes, and more. */
  private static Inbound far(int keySize, int valueSize, RecordHeaders headers) {
    return inbound(keySize, valueSize, headers, "t".repeat(300), Integer.MAX_VALUE, Long.MAX_VALUE);
  }

  private static String text(DeadLetter letter, String header) {
    return new String(letter.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
  }
}
