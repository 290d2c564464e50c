package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.topics.Mailbox;
import io.waterclock.runtime.brokers.Right;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclOperation;

/** Writes to the scheduler's input topics and waits for the answers of the scheduler. */
public final class Requests {
  private final Cluster cluster;

  public Requests(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Requests to the scheduler of a broker, with default settings. */
  public static Requests at(String bootstrapServers, Topics topics) {
    return new Requests(Cluster.at(bootstrapServers, topics));
  }

  /**
   * Writes one definition and returns the scheduler's answer to it.
   *
   * @param value empty for a tombstone, which deletes
   * @throws Failure if Kafka is away, or no scheduler answers within {@code timeout}
   */
  public Answer define(String id, Optional<byte[]> value, Duration timeout) {
    return ask(cluster.topics().schedules(), id, value, timeout);
  }

  /**
   * Writes one command and returns the scheduler's answer to it.
   *
   * @throws Failure if Kafka is away, or no scheduler answers within {@code timeout}
   */
  public Answer command(String id, byte[] value, Duration timeout) {
    return ask(cluster.topics().commands(), id, Optional.of(value), timeout);
  }

  /**
   * Deletes schedules.
   *
   * @param ids at least one
   * @param each receives the answers as they arrive, in any order
   * @throws Failure if Kafka is away, or no scheduler answers within {@code timeout} of the
   *     previous answer
   */
  public void deleteAll(List<String> ids, Duration timeout, Consumer<Answer> each) {
    ask(
        cluster.topics().schedules(),
        ids.stream().map(id -> record(cluster.topics().schedules(), id, Optional.empty())).toList(),
        timeout,
        each);
  }

  /**
   * Writes records to the schedules topic, in their order.
   *
   * @param records at least one
   * @param each receives the answers as they arrive, in any order
   * @throws Failure if Kafka is away, or no scheduler answers within {@code timeout} of the
   *     previous answer
   */
  public void importAll(
      List<ProducerRecord<byte[], byte[]>> records, Duration timeout, Consumer<Answer> each) {
    ask(cluster.topics().schedules(), records, timeout, each);
  }

  private Answer ask(String topic, String id, Optional<byte[]> value, Duration timeout) {
    List<Answer> answers = new ArrayList<>();
    ask(topic, List.of(record(topic, id, value)), timeout, answers::add);
    return answers.get(0);
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, String id, Optional<byte[]> value) {
    return new ProducerRecord<>(topic, id.getBytes(UTF_8), value.orElse(null));
  }

  private void ask(
      String topic,
      List<ProducerRecord<byte[], byte[]>> records,
      Duration timeout,
      Consumer<Answer> each) {
    cluster.checkWritable(topic);
    try (Mailbox mailbox = cluster.mailbox()) {
      BlockingQueue<CompletableFuture<Answer>> answered = new LinkedBlockingQueue<>();
      for (ProducerRecord<byte[], byte[]> record : records) {
        CompletableFuture<Answer> answer = mailbox.expect(record);
        var unused = answer.whenComplete((result, failure) -> answered.add(answer));
      }
      try (RecordWriter writer = new RecordWriter(cluster, Cluster.TIMEOUT)) {
        records.forEach(writer::write);
        writer.flush();
      }
      for (int count = 0; count < records.size(); count++) {
        CompletableFuture<Answer> next = answered.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (next == null) {
          throw noAnswer(records.size(), count, timeout);
        }
        each.accept(next.get());
      }
    } catch (ExecutionException e) {
      Exception cause = e.getCause() instanceof Exception known ? known : e;
      throw cause instanceof Failure failure
          ? failure
          : cluster.failure(cause, Right.topic(AclOperation.READ, cluster.topics().answers()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("Interrupted.", e);
    }
  }

  private Failure noAnswer(int all, int answered, Duration timeout) {
    return new Failure(
        (all == 1
                ? "The record was written, but no scheduler answered within "
                : ("All %s records were written, but only %s were answered; no further"
                        + " answer came within ")
                    .formatted(all, answered))
            + seconds(timeout)
            + ". Is one running with the prefix "
            + cluster.topics().prefix()
            + "? When it starts, it reads "
            + (all == 1 ? "the record." : "them."));
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
