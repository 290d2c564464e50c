package io.waterclock.cli.online;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.Failure;
import io.waterclock.schemas.Headers;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  /**
   * Deletes schedules.
   *
   * @param ids at least one
   * @param each is handed the answers as they come, in any order
   * @throws Failure if Kafka is away, or no scheduler answers within {@code patience} of the answer
   *     before
   */
  void deleteAll(List<String> ids, Duration patience, java.util.function.Consumer<Answer> each) {
    ask(
        cluster.topics().schedules(),
        ids.stream().map(id -> record(cluster.topics().schedules(), id, Optional.empty())).toList(),
        patience,
        each);
  }

  /**
   * Writes records of the schedules topic, in their order.
   *
   * @param records at least one
   * @param each is handed the answers as they come, in any order
   * @throws Failure if Kafka is away, or no scheduler answers within {@code patience} of the answer
   *     before
   */
  void takeOver(
      List<ProducerRecord<byte[], byte[]>> records,
      Duration patience,
      java.util.function.Consumer<Answer> each) {
    ask(cluster.topics().schedules(), records, patience, each);
  }

  private Answer ask(String topic, String id, Optional<byte[]> value, Duration patience) {
    List<Answer> answers = new ArrayList<>();
    ask(topic, List.of(record(topic, id, value)), patience, answers::add);
    return answers.get(0);
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, String id, Optional<byte[]> value) {
    return new ProducerRecord<>(topic, id.getBytes(UTF_8), value.orElse(null));
  }

  private void ask(
      String topic,
      List<ProducerRecord<byte[], byte[]>> records,
      Duration patience,
      java.util.function.Consumer<Answer> each) {
    String answers = cluster.topics().answers();
    cluster.partitions(topic);
    List<TopicPartition> mailboxes = cluster.partitions(answers);
    TopicPartition mailbox = mailboxes.get(ThreadLocalRandom.current().nextInt(mailboxes.size()));
    try (Consumer<byte[], byte[]> consumer = cluster.consumer()) {
      consumer.assign(List.of(mailbox));
      consumer.seekToEnd(List.of(mailbox));
      consumer.position(mailbox); // the end as it is before the question is put
      Set<String> correlationIds = new HashSet<>();
      for (ProducerRecord<byte[], byte[]> record : records) {
        String correlationId = UUID.randomUUID().toString();
        correlationIds.add(correlationId);
        record.headers().add(Headers.CORRELATION_ID, correlationId.getBytes(UTF_8));
        record
            .headers()
            .add(Headers.ANSWER_PARTITION, Integer.toString(mailbox.partition()).getBytes(UTF_8));
      }
      RecordWriter.write(cluster, records);
      await(consumer, correlationIds, patience, each);
    } catch (KafkaException e) {
      throw cluster.failure(e, answers);
    }
  }

  private void await(
      Consumer<byte[], byte[]> consumer,
      Set<String> correlationIds,
      Duration patience,
      java.util.function.Consumer<Answer> each) {
    long since = System.nanoTime();
    int all = correlationIds.size();
    while (!correlationIds.isEmpty()) {
      if (System.nanoTime() - since >= patience.toNanos()) {
        throw silence(all, all - correlationIds.size(), patience);
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.key() != null && correlationIds.remove(new String(record.key(), UTF_8))) {
          each.accept(RecordCodecs.answer().decode(record.value(), cluster.schemas()));
          since = System.nanoTime();
        }
      }
    }
  }

  private Failure silence(int all, int answered, Duration patience) {
    return new Failure(
        (all == 1
                ? "The record was written, but no scheduler answered within "
                : "All "
                    + all
                    + " records were written, but only "
                    + answered
                    + " answered; nothing came for ")
            + seconds(patience)
            + "; is one running with the prefix "
            + cluster.topics().prefix()
            + "? It will take "
            + (all == 1 ? "the record" : "them")
            + " up when it starts.");
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
