/**
 * The processes of the simulation: schedulers with the real processors, on a model of a stream
 * thread of Kafka Streams. Each step of a process is one call, so a test stops and ends a process
 * between any two steps.
 */
@NullMarked
package io.waterclock.sim.node;

import org.jspecify.annotations.NullMarked;
