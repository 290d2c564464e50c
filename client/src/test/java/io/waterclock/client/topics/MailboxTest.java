package io.waterclock.client.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MailboxTest {
  /** A loaded machine may take long. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String ANSWERS = "waterclock.answers";

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final Mailbox mailbox = Mailbox.open(consumer(), ANSWERS, SchemaSource.none());

  private static MockConsumer<byte[], byte[]> consumer() {
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
    consumer.updatePartitions(
        ANSWERS, List.of(new PartitionInfo(ANSWERS, 0, Node.noNode(), new Node[0], new Node[0])));
    consumer.updateEndOffsets(Map.of(new TopicPartition(ANSWERS, 0), 0L));
    return consumer;
  }

  @AfterEach
  void close() {
    mailbox.close();
    producer.close();
  }

  private CompletableFuture<Answer> ask() {
    return mailbox.ask(
        producer,
        new ProducerRecord<>("waterclock.schedules", new byte[1]),
        failure -> new KafkaException("not written", failure));
  }

  @Test
  void no_answer_is_expected_to_what_the_producer_refuses_or_does_not_write() {
    CompletableFuture<Answer> failed = ask();
    assertThat(mailbox.outstanding()).isEqualTo(1);
    producer.errorNext(new TimeoutException("no broker"));
    producer.sendException = new InterruptException("the caller is to end");
    CompletableFuture<Answer> refused = ask();
    assertThat(refused).isCompletedExceptionally();
    assertThat(Thread.interrupted()).isTrue();
    await().atMost(PATIENCE).until(() -> mailbox.outstanding() == 0);
    assertThat(failed).isCompletedExceptionally();
  }
}
