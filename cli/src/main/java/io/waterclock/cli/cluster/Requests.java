package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.schedules.NotWrittenException;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.topics.BulkRun;
import io.waterclock.runtime.brokers.Right;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Writes to the scheduler's input topics and waits for the answers of the scheduler. */
public record Requests(Cluster cluster, Map<String, String> headers) {
  public Requests(Cluster cluster) {
    this(cluster, Map.of());
  }

  /** These requests, whose definitions and deletes say who makes the change, and why. */
  public Requests saying(ChangeNote said) {
    return new Requests(cluster, said.headers());
  }

  /**
   * Writes one definition and returns the scheduler's answer to it.
   *
   * @param value empty for a tombstone, which deletes
   */
  public Answer define(String id, Optional<byte[]> value, Duration timeout) {
    return ask(definition(id, value), timeout);
  }

  /** Writes one command and returns the scheduler's answer to it. */
  public Answer command(String id, byte[] value, Duration timeout) {
    return ask(
        new ProducerRecord<>(cluster.topics().commands(), id.getBytes(UTF_8), value), timeout);
  }

  /**
   * Writes records, in their order.
   *
   * @param records all for one topic
   * @param each receives the answers as they arrive, in any order
   * @throws Failure if Kafka is away, or no scheduler answers within the time-out of the previous
   *     answer
   */
  public void all(
      List<ProducerRecord<byte[], byte[]>> records, BulkRun pace, Consumer<Answer> each) {
    if (!records.isEmpty()) {
      send(records, pace, each);
    }
  }

  /**
   * A record that defines a schedule.
   *
   * @param value empty for a tombstone, which deletes
   */
  public ProducerRecord<byte[], byte[]> definition(String id, Optional<byte[]> value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(cluster.topics().schedules(), id.getBytes(UTF_8), value.orElse(null));
    headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    return record;
  }

  private Answer ask(ProducerRecord<byte[], byte[]> record, Duration timeout) {
    List<Answer> answers = new ArrayList<>();
    all(List.of(record), BulkRun.unlimited(timeout), answers::add);
    return answers.get(0);
  }

  private void send(
      List<ProducerRecord<byte[], byte[]>> records, BulkRun pace, Consumer<Answer> each) {
    cluster.checkWritable(records.get(0).topic());
    Duration writing = records.size() == 1 ? cluster.timeout() : pace.silence();
    try (Schedules schedules = cluster.schedules(writing)) {
      Stream<Supplier<CompletableFuture<Answer>>> sending =
          records.stream().map(record -> () -> ask(schedules, record));
      BulkRun.Progress done =
          pace.run(
              sending.iterator(),
              answer -> {
                each.accept(answer.join());
                return true;
              });
      if (!done.isAnswered()) {
        throw noAnswer(done, pace.silence());
      }
    } catch (CompletionException e) {
      throw e.getCause() instanceof Failure failure ? failure : e;
    } catch (InterruptException e) {
      throw new Failure("Interrupted.", e);
    }
  }

  private CompletableFuture<Answer> ask(
      Schedules schedules, ProducerRecord<byte[], byte[]> record) {
    return schedules
        .ask(record)
        .exceptionally(
            e -> {
              throw failure(e, record);
            });
  }

  private Failure failure(Throwable failed, ProducerRecord<byte[], byte[]> record) {
    boolean isWritten = !(failed instanceof NotWrittenException);
    Throwable reason = isWritten ? failed : failed.getCause();
    Exception cause = reason instanceof Exception known ? known : new KafkaException(failed);
    if (!isWritten && !isAboutAnswers(cause)) {
      return RecordWriter.notWritten(cluster, cause, record);
    }
    return cluster.failure(
        cause.getCause() instanceof SchemaUnavailableException away ? away : cause,
        Right.topic(AclOperation.READ, cluster.topics().answers()));
  }

  /** The topic of the record exists: that was checked before. */
  private boolean isAboutAnswers(Exception cause) {
    return cause instanceof UnknownTopicOrPartitionException
        || (cause instanceof TopicAuthorizationException denied
            && denied.unauthorizedTopics().contains(cluster.topics().answers()));
  }

  private Failure noAnswer(BulkRun.Progress done, Duration timeout) {
    int all = done.sent();
    return new Failure(
        (all == 1
                ? "The record was written, but no scheduler answered within "
                : ("All %s records were written, but only %s were answered; no further"
                        + " answer came within ")
                    .formatted(all, done.answered()))
            + WaitingNote.seconds(timeout)
            + ". Is one running with the prefix "
            + cluster.topics().prefix()
            + "? When it starts, it reads "
            + (all == 1 ? "the record." : "them."));
  }
}
