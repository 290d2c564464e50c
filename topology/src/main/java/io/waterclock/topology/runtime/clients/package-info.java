/**
 * The clients of Kafka Streams: its main consumer, and the gate that asks it how far it has read.
 */
@NullMarked
package io.waterclock.topology.runtime.clients;

import org.jspecify.annotations.NullMarked;
