/** The clients of Kafka Streams, and the gate that asks the main consumer for its position. */
@NullMarked
package io.waterclock.runtime.clients;

import org.jspecify.annotations.NullMarked;
