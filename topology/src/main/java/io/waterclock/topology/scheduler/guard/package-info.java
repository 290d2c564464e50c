/** May a task decide now? What it has read is fresh, its thread ran, and its clock is right. */
@NullMarked
package io.waterclock.topology.scheduler.guard;

import org.jspecify.annotations.NullMarked;
