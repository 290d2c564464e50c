/** Turns decisions into output records. Writes nothing. */
@NullMarked
package io.waterclock.topology.scheduler.emit;

import org.jspecify.annotations.NullMarked;
