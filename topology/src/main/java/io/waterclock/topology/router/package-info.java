/**
 * Copies fires to targets: a separate Kafka Streams application, so that a missing or refusing
 * target does not stop the scheduler.
 */
@NullMarked
package io.waterclock.topology.router;

import org.jspecify.annotations.NullMarked;
