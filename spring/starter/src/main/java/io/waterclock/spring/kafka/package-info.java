/** Settings from Spring's factories, and records in the transaction of a KafkaTemplate. */
@NullMarked
package io.waterclock.spring.kafka;

import org.jspecify.annotations.NullMarked;
