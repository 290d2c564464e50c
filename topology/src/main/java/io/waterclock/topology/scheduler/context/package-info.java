/**
 * What the scheduler of a partition is given: its settings, and interfaces to what is outside the
 * partition.
 */
@NullMarked
package io.waterclock.topology.scheduler.context;

import org.jspecify.annotations.NullMarked;
