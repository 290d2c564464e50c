/**
 * The way of a record through Kafka Streams: in by {@code Accept}, out by {@code Tick}, written by
 * {@code Applier} alone. {@code SchedulerTopology} is the whole graph.
 */
@NullMarked
package io.waterclock.topology.scheduler.task;

import org.jspecify.annotations.NullMarked;
