/** The commands that show schedules and their history. */
@NullMarked
package io.waterclock.cli.read;

import org.jspecify.annotations.NullMarked;
