package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

final class LaterTest {
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");

  private final MockProducer<String, String> producer =
      new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());

  @Test
  void a_record_goes_to_later_with_its_own_headers_and_says_where_and_when_it_is_to_arrive() {
    ProducerRecord<String, String> record = new ProducerRecord<>("orders", 7, 42L, "k", "v");
    record.headers().add("a", bytes("1")).add("a", null);
    Later.send(producer, record, AT);
    ProducerRecord<String, String> sent = only();
    assertThat(sent.topic()).isEqualTo("waterclock.later");
    assertThat(sent.partition()).isNull();
    assertThat(sent.timestamp()).isEqualTo(42);
    assertThat(sent.key()).isEqualTo("k");
    assertThat(sent.value()).isEqualTo("v");
    assertThat(headers(sent))
        .isEqualTo(
            "a=1 a=null waterclock-at=1795262400000 waterclock-target=orders"
                + " waterclock-partition=7");
    assertThat(headers(record)).isEqualTo("a=1 a=null");
  }

  @Test
  void a_record_that_has_arrived_keeps_its_name_when_it_is_sent_again() {
    ProducerRecord<String, String> record = new ProducerRecord<>("orders", "k", "v");
    record.headers().add("waterclock-id", bytes("order-42")).add("waterclock-at", bytes("1"));
    Later.in(Duration.ofMinutes(15)).send(producer, record);
    assertThat(headers(only()))
        .isEqualTo("waterclock-id=order-42 waterclock-in=900000ms waterclock-target=orders");
  }

  @Test
  void a_record_with_the_header_of_a_cancellation_waits_without_it() {
    ProducerRecord<String, String> record = new ProducerRecord<>("orders", "k", "v");
    record
        .headers()
        .add("waterclock-id", bytes("order-42"))
        .add("waterclock-cancel", bytes("true"));
    Later.send(producer, record, AT);
    assertThat(headers(only()))
        .isEqualTo("waterclock-id=order-42 waterclock-at=1795262400000 waterclock-target=orders");
  }

  @Test
  void a_name_and_another_prefix_are_in_the_record() {
    ProducerRecord<String, String> sent =
        Later.at(AT)
            .id("order-43")
            .topics(new Topics("acme"))
            .record(new ProducerRecord<>("orders", "k", "v"));
    assertThat(sent.topic()).isEqualTo("acme.later");
    assertThat(headers(sent))
        .isEqualTo("waterclock-at=1795262400000 waterclock-target=orders waterclock-id=order-43");
  }

  @Test
  void a_cancellation_names_what_it_cancels() {
    Later.cancel(producer, "order-42");
    assertThat(only().value()).isNull();
    assertThat(headers(only())).isEqualTo("waterclock-id=order-42 waterclock-cancel=true");
  }

  @Test
  void a_name_that_no_schedule_may_have_and_a_negative_delay_are_refused_at_once() {
    assertThatThrownBy(() -> Later.at(AT).id("a b")).isInstanceOf(InvalidIdException.class);
    assertThatThrownBy(() -> Later.cancel(producer, "")).isInstanceOf(InvalidIdException.class);
    assertThatThrownBy(() -> Later.in(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(producer.history()).isEmpty();
  }

  private ProducerRecord<String, String> only() {
    assertThat(producer.history()).hasSize(1);
    return producer.history().get(0);
  }

  private static String headers(ProducerRecord<?, ?> record) {
    return String.join(
        " ",
        Arrays.stream(record.headers().toArray())
            .map(
                header ->
                    header.key()
                        + "="
                        + (header.value() == null
                            ? null
                            : new String(header.value(), StandardCharsets.UTF_8)))
            .toList());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
