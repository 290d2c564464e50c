package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import io.waterclock.client.worker.brokers.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class DeadLetterTopicTest {
  private final List<String> events = new ArrayList<>();

  @Test
  void a_letter_that_is_not_written_is_a_problem_until_a_retry_has_written_it() {
    try (MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer())) {
      ConfirmedOutbox outbox = new ConfirmedOutbox(new Outbox(producer));
      DeadLetterTopic letters =
          new DeadLetterTopic(outbox, "waterclock.dlq", "reports", Optional.empty());
      letters.send(
          new ConsumerRecord<>("waterclock.fires", 0, 7, new byte[0], new byte[0]),
          "GIVEN_UP",
          () -> events.add("settled"));
      assertThat(outbox.problem()).isEmpty();
      producer.errorNext(new TimeoutException("no broker"));
      assertThat(outbox.problem())
          .contains("a dead letter was not written to waterclock.dlq: no broker");
      outbox.resend();
      assertThat(outbox.problem()).as("while the retry is under way").isPresent();
      producer.completeNext();
      assertThat(outbox.problem()).isEmpty();
      assertThat(events).containsExactly("settled");
    }
  }
}
