package io.waterclock.spring.retry;

import io.waterclock.client.retry.RetryLater;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.brokers.RootCause;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaOperations.ProducerCallback;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.support.KafkaUtils;
import org.springframework.kafka.support.converter.ConversionException;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.invocation.MethodArgumentResolutionException;

/**
 * Has the records of {@code @KafkaListener} methods wait in Kafka for a retry, where
 * {@code @RetryableTopic} has a topic for each delay: when a listener has failed, and the attempts
 * of its error handler have, the record comes back after a minute, then ten, then an hour.
 *
 * <pre>{@code
 * @Bean
 * CommonErrorHandler errors(KafkaOperations<Object, Object> operations) {
 *   return new DefaultErrorHandler(
 *       RetryLaterRecoverer.to(operations, new DeadLetterPublishingRecoverer(operations)),
 *       new FixedBackOff(200, 2));
 * }
 * }</pre>
 *
 * <p>Works for all listeners of the application: a record returns to the group of its listener.
 * {@link RetryLaterFilter} keeps it from other groups that read the topic. In a container with
 * transactions, give it to a {@code DefaultAfterRollbackProcessor} with a template and {@code
 * commitRecovered}: the record and the offset are then in one transaction. Where no transaction is
 * in process, a template with transactions writes each record in its own.
 *
 * <p>What can never succeed, because the record cannot be read or converted, and what has failed
 * after its last wait, goes to the recoverer of dead letters. If a record cannot be written, this
 * throws, and the error handler has the listener try again.
 *
 * <p>Immutable and thread-safe; a call takes as long as the brokers need to confirm the record.
 */
public final class RetryLaterRecoverer implements ConsumerRecordRecoverer {
  private static final long ANSWER_BOUND_S = 150; // more than the default delivery.timeout.ms

  /** As Spring's own error handlers do not retry these. */
  private static final List<Class<? extends Exception>> HOPELESS =
      List.of(
          DeserializationException.class,
          MessageConversionException.class,
          ConversionException.class,
          MethodArgumentResolutionException.class,
          NoSuchMethodException.class,
          ClassCastException.class);

  private final KafkaOperations<Object, Object> operations;
  private final ConsumerRecordRecoverer deadLetters;
  private final RetryPlan plan;
  private final Optional<String> returnTo;
  private final Topics topics;

  private RetryLaterRecoverer(
      KafkaOperations<Object, Object> operations,
      ConsumerRecordRecoverer deadLetters,
      RetryPlan plan,
      Optional<String> returnTo,
      Topics topics) {
    this.operations = operations;
    this.deadLetters = deadLetters;
    this.plan = plan;
    this.returnTo = returnTo;
    this.topics = topics;
  }

  /**
   * With the standard plan, 1m, 10m, 1h, 6h: records return to the topic that they come from.
   *
   * @param operations writes what waits; its serializers must be the inverse of the listeners'
   *     deserializers
   * @param deadLetters gets what is not retried any more, such as a {@code
   *     DeadLetterPublishingRecoverer}
   */
  public static RetryLaterRecoverer to(
      KafkaOperations<Object, Object> operations, ConsumerRecordRecoverer deadLetters) {
    return new RetryLaterRecoverer(
        operations, deadLetters, RetryPlan.standard(), Optional.empty(), Topics.ofDefault());
  }

  /** With other waits. */
  public RetryLaterRecoverer after(RetryPlan waits) {
    return new RetryLaterRecoverer(operations, deadLetters, waits, returnTo, topics);
  }

  /** Records return to this topic, which the listener must read, too. */
  public RetryLaterRecoverer returnTo(String topic) {
    return new RetryLaterRecoverer(operations, deadLetters, plan, Optional.of(topic), topics);
  }

  /** Records wait in the topics of this prefix of a scheduler. */
  public RetryLaterRecoverer prefix(String prefix) {
    return new RetryLaterRecoverer(operations, deadLetters, plan, returnTo, new Topics(prefix));
  }

  @Override
  @SuppressWarnings("unchecked")
  public void accept(ConsumerRecord<?, ?> record, Exception failure) {
    if (RetryLaterFilter.isForOthers(record)) {
      return; // of a batch that has failed; the filter has kept it from the listener
    }
    Throwable cause = cause(failure);
    if (isHopeless(failure)
        || waitForRetry((ConsumerRecord<Object, Object>) record, cause).isEmpty()) {
      deadLetters.accept(record, failure);
    }
  }

  private Optional<RetryLater.Sent> waitForRetry(
      ConsumerRecord<Object, Object> record, Throwable cause) {
    String group = KafkaUtils.getConsumerGroupId();
    if (group == null) {
      throw new IllegalStateException("called outside a listener container, which has a group");
    }
    ProducerCallback<Object, Object, Optional<RetryLater.Sent>> write =
        producer -> {
          RetryLater.Builder<Object, Object> retry =
              RetryLater.builder(producer, group).after(plan).topics(topics);
          returnTo.ifPresent(retry::returnTo);
          return retry.build().waitForRetry(record, cause);
        };
    Optional<RetryLater.Sent> sent =
        Optional.ofNullable(
                needsTransaction()
                    ? operations.executeInTransaction(inOne -> inOne.execute(write))
                    : operations.execute(write))
            .flatMap(written -> written);
    sent.ifPresent(this::confirm);
    return sent;
  }

  private boolean needsTransaction() {
    return operations.isTransactional()
        && !operations.isAllowNonTransactional()
        && !operations.inTransaction();
  }

  private void confirm(RetryLater.Sent sent) {
    if (operations.inTransaction()) {
      return; // its commit waits for the record
    }
    try {
      var unused = sent.written().get(ANSWER_BOUND_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new KafkaException("a record that waits for a retry was not written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while a record was written", e);
    }
  }

  private static boolean isHopeless(Throwable failure) {
    return RootCause.chain(failure)
        .anyMatch(each -> HOPELESS.stream().anyMatch(type -> type.isInstance(each)));
  }

  /** What the listener has thrown, without Spring's wrapper. */
  private static Throwable cause(Throwable failure) {
    return failure.getCause() == null ? failure : failure.getCause();
  }
}
