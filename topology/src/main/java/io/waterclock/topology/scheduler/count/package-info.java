/** What a task counts, for watermarks and metrics. */
@NullMarked
package io.waterclock.topology.scheduler.count;

import org.jspecify.annotations.NullMarked;
