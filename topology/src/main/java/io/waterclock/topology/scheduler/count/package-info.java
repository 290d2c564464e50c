/** The counts of a task, for watermarks and metrics. */
@NullMarked
package io.waterclock.topology.scheduler.count;

import org.jspecify.annotations.NullMarked;
