/**
 * Turns records to be delivered later into schedules that fire once: a separate Kafka Streams
 * application, as the router is.
 */
@NullMarked
package io.waterclock.topology.intake;

import org.jspecify.annotations.NullMarked;
