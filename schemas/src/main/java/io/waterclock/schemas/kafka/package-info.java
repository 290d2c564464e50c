/** Serializers and deserializers for Kafka's clients. */
@NullMarked
package io.waterclock.schemas.kafka;

import org.jspecify.annotations.NullMarked;
