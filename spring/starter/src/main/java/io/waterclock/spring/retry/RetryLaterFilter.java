package io.waterclock.spring.retry;

import io.waterclock.client.retry.RetryHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.support.KafkaUtils;

/**
 * Keeps a record that returns to one group from the listeners of others, which have had it before.
 * As a bean, it holds for all listeners of Spring Boot's container factory. Thread-safe.
 */
public final class RetryLaterFilter implements RecordFilterStrategy<Object, Object> {
  /** True for a record that returns to another group. */
  @Override
  public boolean filter(ConsumerRecord<Object, Object> record) {
    return isForOthers(record);
  }

  /** True for a record that returns to another group than that of this thread's listener. */
  static boolean isForOthers(ConsumerRecord<?, ?> record) {
    return RetryHeaders.group(record)
        .filter(group -> !group.equals(KafkaUtils.getConsumerGroupId()))
        .isPresent();
  }
}
