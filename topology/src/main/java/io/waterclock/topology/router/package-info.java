/**
 * Fires to targets: a Kafka Streams application of its own, so that a target that vanishes or
 * refuses stops no scheduling.
 */
@NullMarked
package io.waterclock.topology.router;

import org.jspecify.annotations.NullMarked;
