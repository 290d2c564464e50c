/** The command that shows which occurrences a change adds, removes or moves. */
@NullMarked
package io.waterclock.cli.diff;

import org.jspecify.annotations.NullMarked;
