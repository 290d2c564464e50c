/** Commands that show schedules and what became of them. */
@NullMarked
package io.waterclock.cli.read;

import org.jspecify.annotations.NullMarked;
