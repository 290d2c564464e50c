package io.waterclock.topology.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.avro.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

final class DeadLetterTest {
  private static final int LIMIT = 10_000;

  @Test
  void a_record_is_kept_as_received_with_headers_that_say_why_and_where() {
    RecordHeaders received = new RecordHeaders();
    received.add("mine", new byte[] {9});
    DeadLetter letter = DeadLetter.of(inbound(3, 100, received), "bad", LIMIT);
    assertThat(letter.key().orElseThrow()).hasSize(3);
    assertThat(letter.value().orElseThrow()).hasSize(100);
    assertThat(text(letter, Headers.ERROR)).isEqualTo("bad");
    assertThat(text(letter, Headers.ORIGIN_TOPIC)).isEqualTo("schedules");
    assertThat(text(letter, Headers.ORIGIN_PARTITION)).isEqualTo("4");
    assertThat(text(letter, Headers.ORIGIN_OFFSET)).isEqualTo("5");
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
    assertThat(text(letter, Headers.ERROR))
        .startsWith("bad; cut")
        .contains("20000 bytes of key and 30000 of value");
  }

  @Test
  void a_long_list_of_problems_is_cut_and_says_so() {
    Problem problem =
        Problem.newBuilder()
            .setField("f".repeat(5_000))
            .setMessage("m".repeat(5_000))
            .setExample("e")
            .build();
    List<Problem> problems = Shortened.problems(Collections.nCopies(70, problem));
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

  private static Inbound inbound(int keySize, int valueSize, RecordHeaders headers) {
    return new Inbound(
        Optional.of(new byte[keySize]),
        Optional.of(new byte[valueSize]),
        headers,
        Instant.EPOCH,
        "schedules",
        4,
        5);
  }

  private static String text(DeadLetter letter, String header) {
    return new String(letter.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
  }
}
