package io.waterclock.spring.retry;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Beside {@code @KafkaListener}, where {@code @RetryableTopic} would stand: a record that the
 * listener cannot process waits in Kafka and comes back to the listener's group, after a minute,
 * then ten, then an hour, then six, while its partition goes on. After that, and if it can never
 * succeed, it is a dead letter. What returns to other groups passes the listener.
 *
 * <pre>{@code
 * @KafkaListener(topics = "orders", groupId = "billing")
 * @RetryableLater(after = "5m, 1h", returnTo = "orders.retries")
 * void bill(Order order) { ... }
 * }</pre>
 *
 * <p>Texts may contain placeholders. The listener may have no {@code containerPostProcessor}. In a
 * container with transactions, the record and the offset are in one transaction.
 *
 * @see RetryLaterRecoverer
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RetryableLater {
  /** The waits, one after another. */
  String after() default "1m, 10m, 1h, 6h";

  /**
   * The topic to which records return, which the listener then reads, too, if it names its topics.
   * Empty: the topic that the record comes from.
   */
  String returnTo() default "";

  /** How often the listener is tried before a record waits, 200 ms apart; at least 1. */
  int attempts() default 3;
}
