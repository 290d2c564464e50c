/** Defines and controls schedules; each change returns the scheduler's answer. */
@NullMarked
package io.waterclock.client.schedules;

import org.jspecify.annotations.NullMarked;
