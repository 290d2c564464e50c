package io.waterclock.client.schedules;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TransactionAbortedException;

/** A request that was sent, and its state. Thread-safe. */
final class SentRequest {
  private final Request request;
  private final ProducerRecord<byte[], byte[]> record;
  private final CompletableFuture<io.waterclock.schemas.avro.Answer> received;
  private volatile Optional<RecordMetadata> written = Optional.empty();

  private SentRequest(
      Request request,
      ProducerRecord<byte[], byte[]> record,
      CompletableFuture<io.waterclock.schemas.avro.Answer> received) {
    this.request = request;
    this.record = record;
    this.received = received;
  }

  /** Sends a request; the future of its answer reports failures. */
  static SentRequest by(Producer<byte[], byte[]> producer, Request request, Connection connection) {
    Connection.Ready ready = connection.ready();
    ProducerRecord<byte[], byte[]> record = request.record(connection.topics(), ready.encoding());
    SentRequest sent = new SentRequest(request, record, ready.mailbox().expect(record));
    try {
      var unused =
          producer.send(
              record,
              (metadata, failure) -> {
                if (failure == null) {
                  sent.written = Optional.of(metadata);
                } else {
                  sent.received.completeExceptionally(sent.notWritten(failure, connection));
                }
              });
    } catch (KafkaException | IllegalStateException e) {
      sent.received.completeExceptionally(sent.notWritten(e, connection));
      throw e;
    }
    return sent;
  }

  String scheduleId() {
    return request.id().value();
  }

  /** The record's position; empty until the broker has confirmed it. */
  Optional<RecordMetadata> written() {
    return written;
  }

  boolean isAnswered() {
    return received.isDone();
  }

  /** Fails the answer, because the transaction was aborted. */
  void aborted() {
    received.completeExceptionally(
        request.notWritten(
            "its transaction was aborted", new TransactionAbortedException("read back")));
  }

  void expire(Duration time) {
    var unused = received.orTimeout(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * The scheduler's answer, completed on another thread than the one that reads answers.
   *
   * @param silence creates the failure for an answer that has not come in time
   */
  CompletableFuture<Answer> answer(
      Duration timeout, Function<Throwable, RuntimeException> silence) {
    Reply<Answer> reply = new Reply<>();
    var unused =
        received
            .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .whenCompleteAsync(
                (answer, failure) -> {
                  if (answer != null) {
                    reply.complete(Answer.of(answer, request.commandId()));
                  } else {
                    reply.completeExceptionally(
                        failure instanceof TimeoutException
                            ? silence.apply(failure)
                            : failed(failure));
                  }
                });
    return reply;
  }

  private Throwable failed(Throwable failure) {
    return failure instanceof NotWrittenException || failure instanceof NoAnswerException
        ? failure
        : silence("the client has got no answer: " + failure.getMessage() + ".", failure);
  }

  /** The state of the record, as the beginning of a sentence. */
  String what() {
    String name = "The record for " + request.id();
    return written
        .map(at -> name + " was written to " + at)
        .orElse(name + " was sent to " + record.topic() + ", which has not confirmed it");
  }

  /**
   * The failure for an answer that has not come in time.
   *
   * @param why the end of a sentence about the record
   */
  NoAnswerException silence(String why, Throwable cause) {
    return new NoAnswerException(what() + ", but " + why + request.repetition(), cause);
  }

  private NotWrittenException notWritten(Exception failure, Connection connection) {
    if (failure instanceof RecordTooLargeException) {
      return request.notWritten(
          "it is larger than the producer (max.request.size) or the topic (max.message.bytes)"
              + " allows: "
              + failure.getMessage(),
          failure);
    }
    return request.notWritten(
        failure instanceof KafkaException kafka
            ? connection.explain(kafka)
            : String.valueOf(failure.getMessage()),
        failure);
  }
}
