/** Producing schedules and steering them, each change with the scheduler's answer. */
@NullMarked
package io.waterclock.client.schedules;

import org.jspecify.annotations.NullMarked;
