package io.waterclock.spring;

import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.BulkResult;
import io.waterclock.client.schedules.CalendarBuilder;
import io.waterclock.client.schedules.Changes;
import io.waterclock.client.schedules.Pending;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.schedules.Selector;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.spring.kafka.RawProducer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Sends changes in the transaction of a {@code KafkaTemplate}, if the thread is in one, and at once
 * otherwise. Thread-safe.
 *
 * @param templates those whose transactions it joins
 */
public record KafkaChangeSender(Schedules schedules, List<KafkaOperations<?, ?>> templates)
    implements ChangeSender {
  private static final Logger LOG = SafeLogger.of(KafkaChangeSender.class);

  public KafkaChangeSender {
    templates = List.copyOf(templates);
  }

  @Override
  public ScheduleChange put(String id, Schedule definition) {
    return change(
        id, changes -> changes.put(id, definition), changes -> changes.put(id, definition));
  }

  @Override
  public ScheduleChange delete(String id) {
    return change(id, changes -> changes.delete(id), changes -> changes.delete(id));
  }

  @Override
  public CompletableFuture<BulkResult> delete(Selector selector) {
    return schedules.delete(selector);
  }

  @Override
  public ScheduleChange command(String id, ScheduleCommand command) {
    return change(
        id, changes -> changes.command(id, command), changes -> changes.command(id, command));
  }

  @Override
  public CompletableFuture<Void> putCalendar(String name, CalendarBuilder calendar) {
    return schedules.putCalendar(name, calendar);
  }

  @Override
  public CompletableFuture<Void> deleteCalendar(String name) {
    return schedules.deleteCalendar(name);
  }

  private ScheduleChange change(
      String id,
      Function<Changes<Pending>, Pending> inTransaction,
      Function<Changes<CompletableFuture<Answer>>, CompletableFuture<Answer>> atOnce) {
    Optional<KafkaOperations<?, ?>> template = inTransaction();
    if (template.isPresent()) {
      return pending(id, join(template.get(), inTransaction));
    }
    CompletableFuture<Answer> answer = atOnce.apply(schedules);
    logRefusal(id, answer);
    return new ScheduleChange(id, () -> answer);
  }

  /**
   * The template in whose transaction the thread is. In a transaction that Spring manages, every
   * template says so, because it would begin one of its own beside it.
   */
  private Optional<KafkaOperations<?, ?>> inTransaction() {
    List<KafkaOperations<?, ?>> all =
        templates.stream()
            .filter(template -> template.isTransactional() && template.inTransaction())
            .toList();
    return all.stream()
        .filter(
            template ->
                TransactionSynchronizationManager.hasResource(template.getProducerFactory()))
        .findFirst()
        .or(() -> all.stream().findFirst());
  }

  private <K, V> Pending join(
      KafkaOperations<K, V> template, Function<Changes<Pending>, Pending> change) {
    try {
      return Optional.ofNullable(
              template.execute(
                  (Producer<K, V> producer) ->
                      change.apply(schedules.in(RawProducer.of(producer)))))
          .orElseThrow();
    } catch (ClassCastException | SerializationException e) {
      throw new IllegalStateException(
          "the producers of "
              + template.getProducerFactory()
              + " cannot write a schedule: only a DefaultKafkaProducerFactory that is a bean, with a"
              + " transaction-id prefix, can be shared with Waterclock",
          e);
    }
  }

  private ScheduleChange pending(String id, Pending pending) {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCommit() {
              logRefusal(id, pending.answer());
            }
          });
    }
    return new ScheduleChange(id, pending::answer);
  }

  private static void logRefusal(String id, CompletableFuture<Answer> answer) {
    var unused =
        answer.whenComplete(
            (received, failure) -> {
              if (failure != null) {
                LOG.warn("The change of the schedule {} has no answer", id, failure);
              } else if (isRefusal(received)) {
                LOG.warn("The scheduler refuses the change of the schedule {}: {}", id, received);
              }
            });
  }

  private static boolean isRefusal(@Nullable Answer answer) {
    return answer instanceof Answer.Rejected || answer instanceof Answer.Conflict;
  }
}
