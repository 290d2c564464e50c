/**
 * The loop of a task: {@code SchedulerTopology} builds the graph, {@code TaskLoop} admits records,
 * ticks and runs the watchdog.
 */
@NullMarked
package io.waterclock.topology.scheduler.task;

import org.jspecify.annotations.NullMarked;
