/** How many fires of a group of schedules may run, and which of those that wait start. Pure. */
@NullMarked
package io.waterclock.limits;

import org.jspecify.annotations.NullMarked;
