/** Retries that wait in Kafka: for any consumer, and what workers share with them. */
@NullMarked
package io.waterclock.client.retry;

import org.jspecify.annotations.NullMarked;
