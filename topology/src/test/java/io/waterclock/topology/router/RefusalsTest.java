package io.waterclock.topology.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

final class RefusalsTest {
  private Instant now = Instant.parse("2026-03-01T00:00:00Z");
  private boolean outage;
  private final List<String> doubted = new ArrayList<>();
  private final Refusals refusals = new Refusals(() -> now, () -> outage, doubted::add);

  @Test
  void what_is_wrong_with_one_record_is_remembered_for_that_fire_alone() {
    refusals.refused(record("mail", "a|1"), new RecordTooLargeException("2 > 1"));
    assertThat(of("mail", "a|1")).contains("the broker refuses it: 2 > 1");
    assertThat(of("mail", "a|2")).isEmpty();
    assertThat(of("post", "a|1")).isEmpty();
    assertThat(doubted).containsExactly("mail");
  }

  @Test
  void a_topic_that_may_not_be_written_to_is_tried_again_after_a_minute() {
    refusals.refused(
        record("mail", "a|1"), new TopicAuthorizationException("not you", Set.of("mail")));
    assertThat(of("mail", "b|9")).contains("the broker refuses it: not you");
    assertThat(of("post", "b|9")).isEmpty();
    now = now.plus(Duration.ofSeconds(59));
    assertThat(of("mail", "b|9")).isPresent();
    now = now.plus(Duration.ofSeconds(1));
    assertThat(of("mail", "b|9")).isEmpty();
  }

  @Test
  void a_topic_that_takes_nothing_for_half_a_minute_counts_as_refused_until_it_takes_something() {
    ProducerRecord<byte[], byte[]> record = record("mail", "a|1");
    refusals.refused(record, new TimeoutException("no leader"));
    now = now.plus(Duration.ofSeconds(29));
    refusals.refused(record, new TimeoutException("no leader"));
    assertThat(of("mail", "a|1")).isEmpty();
    now = now.plus(Duration.ofSeconds(1));
    refusals.refused(record, new TimeoutException("no leader"));
    assertThat(of("mail", "a|1").orElseThrow())
        .startsWith("it has taken nothing since 2026-03-01T00:00:00Z")
        .endsWith("no leader");
    now = now.plus(Duration.ofMinutes(2));
    refusals.took(record);
    refusals.refused(record, new TimeoutException("no leader"));
    assertThat(of("mail", "a|1")).isEmpty();
  }

  @Test
  void in_an_outage_of_the_brokers_no_topic_is_blamed_for_it() {
    outage = true;
    for (int i = 0; i < 10; i++) {
      refusals.refused(record("mail", "a|1"), new TimeoutException("no broker"));
      now = now.plus(Duration.ofSeconds(10));
    }
    assertThat(of("mail", "a|1")).isEmpty();
    assertThat(doubted).isEmpty();
    assertThat(refusals.isRecent()).isFalse();
  }

  @Test
  void what_befalls_the_producer_or_other_records_is_nobodys_refusal() {
    refusals.refused(record("mail", "a|1"), new ProducerFencedException("by another"));
    refusals.refused(
        new ProducerRecord<>("waterclock.dlq", bytes("a|1"), bytes("v")),
        new RecordTooLargeException("2 > 1"));
    assertThat(of("mail", "a|1")).isEmpty();
    assertThat(of("waterclock.dlq", "a|1")).isEmpty();
    assertThat(doubted).isEmpty();
  }

  private Optional<String> of(String topic, String fireKey) {
    return refusals.of(topic, new Record<>(bytes(fireKey), bytes("fire"), 1), now);
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String fireKey) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, bytes("key"), bytes("value"));
    record.headers().add(HeaderNames.FIRE_KEY, bytes(fireKey));
    return record;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
