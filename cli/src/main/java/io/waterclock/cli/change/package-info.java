/** Commands that change schedules. */
@NullMarked
package io.waterclock.cli.change;

import org.jspecify.annotations.NullMarked;
