package io.waterclock.client.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Receives the scheduler's answers: one thread reads one partition of the answers topic, chosen at
 * random, from its end at the time of opening. Each request contains the partition and a
 * correlation id, so the mailbox reads no other partition; it skips other clients' answers by their
 * key.
 *
 * <p>It ends with {@link #close} or after a failure from which Kafka's consumer cannot recover.
 * Then all expected answers fail, and the caller must open a new mailbox. Thread-safe.
 */
public final class Mailbox implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Consumer<byte[], byte[]> consumer;
  private final TopicPartition partition;
  private final SchemaSource schemas;
  private final Map<String, CompletableFuture<Answer>> expected = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::read, "waterclock-answers");
  private volatile boolean closing;
  private volatile boolean ended;

  private Mailbox(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, SchemaSource schemas) {
    this.consumer = consumer;
    this.partition = partition;
    this.schemas = schemas;
    thread.setDaemon(true);
  }

  /**
   * Opens a mailbox. Returns when its start offset is known, so that it receives the answers to all
   * later requests.
   *
   * @param consumer a consumer of committed records, without a group; the mailbox closes it
   * @param schemas the schemas of answers in the Confluent wire format; may block
   * @throws UnknownTopicOrPartitionException if the topic does not exist
   * @throws KafkaException if no broker answers within the consumer's {@code
   *     default.api.timeout.ms}
   */
  public static Mailbox open(
      Consumer<byte[], byte[]> consumer, String answersTopic, SchemaSource schemas) {
    try {
      List<TopicPartition> all = TopicReader.partitions(answersTopic, consumer);
      TopicPartition own = all.get(ThreadLocalRandom.current().nextInt(all.size()));
      consumer.assign(List.of(own));
      consumer.seekToEnd(List.of(own));
      consumer.position(own);
      Mailbox mailbox = new Mailbox(consumer, own, schemas);
      mailbox.thread.start();
      return mailbox;
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  /**
   * Adds the headers that ask for an answer to a record.
   *
   * @return the answer, completed on this mailbox's thread. It fails with a {@link KafkaException}
   *     if the answer cannot be read or the mailbox ends, and with the exceptions of the schemas.
   *     The caller may complete it to stop waiting for the answer
   */
  public CompletableFuture<Answer> expect(ProducerRecord<byte[], byte[]> record) {
    String id = UUID.randomUUID().toString();
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    expected.put(id, answer);
    var unused = answer.whenComplete((received, failure) -> expected.remove(id));
    record.headers().add(HeaderNames.CORRELATION_ID, id.getBytes(UTF_8));
    record
        .headers()
        .add(HeaderNames.ANSWER_PARTITION, Integer.toString(partition.partition()).getBytes(UTF_8));
    if (ended) {
      answer.completeExceptionally(closed());
    }
    return answer;
  }

  /**
   * Sends a record with the headers that ask for an answer.
   *
   * @param notWritten the failure of the answer for what the producer throws or reports
   * @return as {@link #expect} does; nothing is expected of a record that was not written
   */
  public CompletableFuture<Answer> ask(
      Producer<byte[], byte[]> producer,
      ProducerRecord<byte[], byte[]> record,
      Function<Exception, ? extends RuntimeException> notWritten) {
    CompletableFuture<Answer> answer = expect(record);
    try {
      var unused =
          producer.send(
              record,
              (metadata, failure) -> {
                if (failure != null) {
                  // not in the thread of the producer's I/O, which the caller's code may need
                  var unusedTask =
                      CompletableFuture.runAsync(
                          () -> answer.completeExceptionally(notWritten.apply(failure)));
                }
              });
    } catch (RuntimeException e) {
      answer.completeExceptionally(notWritten.apply(e));
    }
    return answer;
  }

  /** How many answers are expected. */
  int outstanding() {
    return expected.size();
  }

  /** True when the mailbox receives no more answers. */
  public boolean hasEnded() {
    return ended;
  }

  private void read() {
    KafkaException why = closed();
    try {
      while (!closing) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          take(record);
        }
      }
    } catch (WakeupException | InterruptException e) {
      why = closed();
    } catch (KafkaException e) {
      why = e;
    } finally {
      ended = true;
      Consumers.close(consumer, CLOSE);
      for (CompletableFuture<Answer> answer : List.copyOf(expected.values())) {
        answer.completeExceptionally(why);
      }
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    CompletableFuture<Answer> answer =
        record.key() == null ? null : expected.get(new String(record.key(), UTF_8));
    if (answer == null) {
      return;
    }
    try {
      answer.complete(RecordCodecs.answer().decode(record.value(), schemas));
    } catch (UndecodableException | SchemaUnavailableException e) {
      answer.completeExceptionally(
          new KafkaException("the scheduler's answer cannot be read: " + e.getMessage(), e));
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  private KafkaException closed() {
    return new KafkaException("the client no longer reads answers from " + partition);
  }

  /** Ends the mailbox, and fails all expected answers. */
  @Override
  public void close() {
    closing = true;
    consumer.wakeup();
    try {
      thread.join(CLOSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
