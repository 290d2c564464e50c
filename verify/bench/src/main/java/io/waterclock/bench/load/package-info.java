/** Schedules to measure with, and the instants at which they are due. */
@NullMarked
package io.waterclock.bench.load;

import org.jspecify.annotations.NullMarked;
