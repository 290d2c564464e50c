package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import io.waterclock.client.worker.brokers.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class DeadLetterTopicTest {
  private static final int MEBIBYTE = 1 << 20;

  private final List<String> events = new ArrayList<>();
  private final List<Throwable> broken = new ArrayList<>();

  @Test
  void a_letter_that_is_not_written_is_a_problem_until_a_retry_has_written_it() {
    try (MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer())) {
      ConfirmedOutbox outbox = new ConfirmedOutbox(new Outbox(producer, broken::add));
      DeadLetterTopic letters =
          new DeadLetterTopic(outbox, "waterclock.dlq", "reports", Optional.empty());
      letters.send(
          new ConsumerRecord<>("waterclock.fires", 0, 7, new byte[0], new byte[0]),
          "GIVEN_UP",
          () -> events.add("settled"));
      assertThat(outbox.problem()).isEmpty();
      producer.errorNext(new TimeoutException("no broker"));
      outbox.attend(Duration.ZERO);
      assertThat(outbox.problem())
          .contains("a dead letter was not written to waterclock.dlq: no broker");
      outbox.resend();
      assertThat(outbox.problem()).as("while the retry is under way").isPresent();
      producer.completeNext();
      assertThat(events).as("in the thread of the producer's I/O").isEmpty();
      outbox.attend(Duration.ZERO);
      assertThat(outbox.problem()).isEmpty();
      assertThat(events).containsExactly("settled");
    }
  }

  @Test
  void a_flush_waits_for_what_follows_from_the_answers_and_writes_it() throws Exception {
    try (MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer())) {
      ConfirmedOutbox outbox = new ConfirmedOutbox(new Outbox(producer, broken::add));
      Semaphore goOn = new Semaphore(0);
      send(
          outbox,
          () -> {
            goOn.acquireUninterruptibly();
            send(outbox, () -> events.add("settled"));
          });
      Thread letters = new Thread(() -> outbox.attend(Duration.ofSeconds(1)));
      letters.start();
      outbox.flush(Duration.ofMillis(20));
      assertThat(events).as("after the time").isEmpty();
      goOn.release();
      outbox.flush(Duration.ofMinutes(2));
      assertThat(events).containsExactly("settled");
      letters.join();
    }
  }

  private static void send(ConfirmedOutbox outbox, Runnable then) {
    outbox.send(
        "a fire",
        new ProducerRecord<>("waterclock.later", new byte[1]),
        then,
        (failed, why) -> Optional.empty());
  }

  @Test
  void of_16_mebibytes_that_cannot_be_written_the_outbox_is_full_until_half_of_it_is_written() {
    try (MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer())) {
      ConfirmedOutbox outbox = new ConfirmedOutbox(new Outbox(producer, broken::add));
      DeadLetterTopic letters =
          new DeadLetterTopic(outbox, "waterclock.dlq", "reports", Optional.empty());
      for (int i = 0; i < 16; i++) {
        assertThat(outbox.isFull()).as("%s of 16", i).isFalse();
        letters.send(large(i), "GIVEN_UP", () -> events.add("settled"));
      }
      assertThat(outbox.isFull()).isTrue();
      for (int i = 0; i < 16; i++) {
        producer.errorNext(new TimeoutException("no broker"));
        outbox.attend(Duration.ZERO);
      }
      assertThat(outbox.isFull()).as("none is written").isTrue();
      outbox.resend();
      producer.errorNext(new RecordTooLargeException("by far"));
      outbox.attend(Duration.ZERO);
      for (int i = 0; i < 9; i++) {
        assertThat(outbox.isFull()).as("%s of 16 are written", i).isTrue();
        producer.completeNext();
        outbox.attend(Duration.ZERO);
      }
      assertThat(outbox.isFull()).as("7 are left").isFalse();
      outbox.resend();
      while (producer.completeNext()) {
        outbox.attend(Duration.ZERO);
        assertThat(outbox.isFull()).isFalse();
      }
      assertThat(events).hasSize(16);
      for (int i = 0; i < 15; i++) {
        letters.send(large(i), "GIVEN_UP", () -> events.add("settled"));
      }
      assertThat(outbox.isFull()).as("nothing is left of those that are written").isFalse();
    }
  }

  @Test
  void of_what_its_caller_gives_up_nothing_is_left_in_the_outbox() {
    try (MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer())) {
      ConfirmedOutbox outbox = new ConfirmedOutbox(new Outbox(producer, broken::add));
      for (int i = 0; i < 20; i++) {
        outbox.send(
            "a fire",
            new ProducerRecord<>("waterclock.later", new byte[MEBIBYTE]),
            () -> {},
            (failed, why) -> Optional.empty());
        producer.errorNext(new TimeoutException("no broker"));
        outbox.attend(Duration.ZERO);
        assertThat(outbox.isFull()).isFalse();
      }
    }
  }

  /** Kafka ends the thread of the producer's I/O at an error in a callback. */
  @Test
  void an_error_in_what_follows_a_write_is_told_and_does_not_reach_the_producer() {
    try (MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer())) {
      NoSuchMethodError missing = new NoSuchMethodError("of another version");
      new Outbox(producer, broken::add)
          .send(
              new ProducerRecord<>("waterclock.outcomes", new byte[1]),
              error -> {
                throw missing;
              });
      assertThat(producer.completeNext()).isTrue();
      assertThat(broken).containsExactly(missing);
    }
  }

  private static ConsumerRecord<byte[], byte[]> large(int offset) {
    return new ConsumerRecord<>("waterclock.fires", 0, offset, new byte[0], new byte[MEBIBYTE]);
  }
}
