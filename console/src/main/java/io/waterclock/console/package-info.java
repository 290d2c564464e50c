/** A web console: a reader of the scheduler's topics that writes ordinary commands. */
@NullMarked
package io.waterclock.console;

import org.jspecify.annotations.NullMarked;
