package io.waterclock.cli.online;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.Failure;
import io.waterclock.schemas.Headers;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Writes to the scheduler's input topics and waits for what the scheduler says to it. */
public final class Requests {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Cluster cluster;

  Requests(Cluster cluster) {
    this.cluster = cluster;
  }

  /** To the scheduler behind a broker. */
  public static Requests at(String bootstrapServers, Topics topics) {
    return new Requests(Cluster.at(bootstrapServers, topics));
  }

  /**
   * Writes one definition and returns the scheduler's answer to it.
   *
   * @param value empty for a tombstone, which deletes
   * @throws Failure if Kafka is away, or no scheduler answers within {@code patience}
   */
  public Answer define(String id, Optional<byte[]> value, Duration patience) {
    return ask(cluster.topics().schedules(), id, value, patience);
  }

  /**
   * Writes one command and returns the scheduler's answer to it.
   *
   * @throws Failure if Kafka is away, or no scheduler answers within {@code patience}
   */
  Answer command(String id, byte[] value, Duration patience) {
    return ask(cluster.topics().commands(), id, Optional.of(value), patience);
  }

  private Answer ask(String topic, String id, Optional<byte[]> value, Duration patience) {
    String answers = cluster.topics().answers();
    cluster.partitions(topic);
    List<TopicPartition> mailboxes = cluster.partitions(answers);
    TopicPartition mailbox = mailboxes.get(ThreadLocalRandom.current().nextInt(mailboxes.size()));
    try (Consumer<byte[], byte[]> consumer = cluster.consumer()) {
      consumer.assign(List.of(mailbox));
      consumer.seekToEnd(List.of(mailbox));
      consumer.position(mailbox); // the end as it is before the question is put
      String correlationId = UUID.randomUUID().toString();
      RecordWriter.write(cluster, request(topic, id, value, correlationId, mailbox.partition()));
      return await(consumer, correlationId, patience);
    } catch (KafkaException e) {
      throw cluster.failure(e, answers);
    }
  }

  private static ProducerRecord<byte[], byte[]> request(
      String topic, String id, Optional<byte[]> value, String correlationId, int mailbox) {
    ProducerRecord<byte[], byte[]> request =
        new ProducerRecord<>(topic, id.getBytes(UTF_8), value.orElse(null));
    request.headers().add(Headers.CORRELATION_ID, correlationId.getBytes(UTF_8));
    request.headers().add(Headers.ANSWER_PARTITION, Integer.toString(mailbox).getBytes(UTF_8));
    return request;
  }

  private Answer await(Consumer<byte[], byte[]> consumer, String correlationId, Duration patience) {
    byte[] key = correlationId.getBytes(UTF_8);
    long start = System.nanoTime();
    while (System.nanoTime() - start < patience.toNanos()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (Arrays.equals(record.key(), key)) {
          return RecordCodecs.answer().decode(record.value());
        }
      }
    }
    throw new Failure(
        "The record was written, but no scheduler answered within "
            + seconds(patience)
            + "; is one running with the prefix "
            + cluster.topics().prefix()
            + "? It will take the record up when it starts.");
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
