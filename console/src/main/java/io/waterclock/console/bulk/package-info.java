/** One action for many schedules: who is meant, and the commands that carry it out. */
@NullMarked
package io.waterclock.console.bulk;

import org.jspecify.annotations.NullMarked;
