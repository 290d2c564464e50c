package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.connect.TestFires;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutcomesTest {
  private static final Instant BEGUN = Instant.parse("2026-11-21T10:00:01Z");
  private static final Instant ENDED = Instant.parse("2026-11-21T10:00:02Z");
  private static final String TOPIC = Topics.ofDefault().outcomes();

  private final MockProducer<byte[], byte[]> broker =
      new MockProducer<>(
          false, (Partitioner) null, new ByteArraySerializer(), new ByteArraySerializer());
  private final Outcomes outcomes = new Outcomes(Optional.of(broker), TOPIC);
  private final AtomicInteger told = new AtomicInteger();

  @AfterEach
  void close() {
    outcomes.close();
  }

  private static Delivery delivery(boolean wanted) {
    Fire fire = TestFires.of("reports/daily", Instant.parse("2026-11-21T10:00:00Z"), s -> {});
    fire.setWantsOutcome(wanted);
    SinkRecord record =
        new SinkRecord("waterclock.fires", 0, null, null, Schema.BYTES_SCHEMA, new byte[0], 0L);
    return new Delivery(
        record, new TopicPartition("waterclock.fires", 0), fire, TestFires.key(fire));
  }

  private List<Outcome> written() {
    return broker.history().stream()
        .map(ProducerRecord::value)
        .map(value -> RecordCodecs.outcome().decode(value))
        .toList();
  }

  private static @Nullable String text(Outcome outcome) {
    return switch (outcome.getState()) {
      case SUCCEEDED -> outcome.getOutput();
      case DROPPED -> outcome.getReason();
      default -> outcome.getError();
    };
  }

  @Test
  void the_beginning_and_the_end_of_a_fire_are_reported_under_its_schedule() {
    Delivery delivery = delivery(true);
    delivery.begin(BEGUN);
    outcomes.started(delivery);
    delivery.begin(ENDED);
    outcomes.ended(delivery, OutcomeState.SUCCEEDED, "HTTP 204", ENDED, told::incrementAndGet);
    assertThat(broker.history())
        .allSatisfy(
            record -> {
              assertThat(record.topic()).isEqualTo(TOPIC);
              assertThat(new String(record.key(), StandardCharsets.UTF_8))
                  .isEqualTo("reports/daily");
            });
    assertThat(written())
        .extracting(Outcome::getState)
        .containsExactly(OutcomeState.STARTED, OutcomeState.SUCCEEDED);
    assertThat(written())
        .allSatisfy(
            outcome -> {
              assertThat(outcome.getFireId()).isEqualTo(delivery.fire().getFireId());
              assertThat(outcome.getFireKey()).isEqualTo(delivery.fireKey());
              assertThat(outcome.getStartedAt()).isEqualTo(BEGUN);
            });
    assertThat(written()).extracting(Outcome::getAttempt).containsExactly(1, 2);
    assertThat(written().get(1).getEndedAt()).isEqualTo(ENDED);
  }

  @Test
  void each_end_says_its_reason_where_that_belongs() {
    for (OutcomeState state :
        List.of(OutcomeState.SUCCEEDED, OutcomeState.FAILED, OutcomeState.DROPPED)) {
      outcomes.ended(delivery(true), state, "because", ENDED, told::incrementAndGet);
      Outcome last = written().get(written().size() - 1);
      assertThat(last.getState()).isEqualTo(state);
      assertThat(text(last)).isEqualTo("because");
    }
  }

  @Test
  void a_fire_is_done_once_its_report_is_written_or_given_up() {
    outcomes.ended(delivery(true), OutcomeState.FAILED, "x", ENDED, told::incrementAndGet);
    assertThat(told).hasValue(0);
    broker.completeNext();
    assertThat(told).hasValue(1);
    outcomes.ended(delivery(true), OutcomeState.FAILED, "x", ENDED, told::incrementAndGet);
    broker.errorNext(new KafkaException("away"));
    assertThat(told).hasValue(2);
    broker.sendException = new KafkaException("closed");
    outcomes.ended(delivery(true), OutcomeState.FAILED, "x", ENDED, told::incrementAndGet);
    assertThat(told).hasValue(3);
  }

  @Test
  void no_outcome_is_reported_if_it_is_not_wanted_or_not_possible() {
    outcomes.ended(delivery(false), OutcomeState.SUCCEEDED, "x", ENDED, told::incrementAndGet);
    assertThat(broker.history()).isEmpty();
    try (Outcomes none = new Outcomes(Optional.empty(), TOPIC)) {
      none.ended(delivery(true), OutcomeState.SUCCEEDED, "x", ENDED, told::incrementAndGet);
    }
    assertThat(told).hasValue(2);
  }
}
