/** Records as they were read. */
@NullMarked
package io.waterclock.topology.scheduler.input;

import org.jspecify.annotations.NullMarked;
