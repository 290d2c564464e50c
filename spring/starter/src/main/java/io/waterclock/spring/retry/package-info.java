/** Retries of {@code @KafkaListener} methods that wait in Kafka. */
@NullMarked
package io.waterclock.spring.retry;

import org.jspecify.annotations.NullMarked;
