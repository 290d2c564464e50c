/** Schedules of other schedulers, as files of our own. */
@NullMarked
package io.waterclock.cli.moving;

import org.jspecify.annotations.NullMarked;
