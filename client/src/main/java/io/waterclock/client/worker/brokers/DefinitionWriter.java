package io.waterclock.client.worker.brokers;

import io.waterclock.client.schedules.NotWrittenException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.brokers.RootCause;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes the definitions and deletes of handlers, and waits until the brokers have them, as long as
 * the producer's {@code delivery.timeout.ms} at most. Thread-safe.
 *
 * @param topic of the schedules
 */
public record DefinitionWriter(Outbox outbox, String topic)
    implements BiConsumer<String, Optional<Schedule>> {

  /**
   * @param definition empty for a delete
   * @throws NotWrittenException if the brokers do not have it in time, or the thread is interrupted
   */
  @Override
  public void accept(String id, Optional<Schedule> definition) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    outbox.send(
        new ProducerRecord<>(
            topic,
            ScheduleId.parse(id).utf8(),
            definition
                .map(schedule -> RecordCodecs.schedule().encode(schedule, WireFormat.AVRO))
                .orElse(null)),
        error ->
            error.ifPresentOrElse(written::completeExceptionally, () -> written.complete(null)));
    try {
      written.get();
    } catch (ExecutionException e) {
      throw notWritten(id, RootCause.of(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notWritten(id, "the run was cancelled meanwhile, and it may still be", e);
    }
  }

  private NotWrittenException notWritten(String id, String why, Throwable cause) {
    return new NotWrittenException(
        "The record for %s was not written to %s: %s".formatted(id, topic, why), cause);
  }
}
