/** The {@code waterclock} command: one class per subcommand. */
@NullMarked
package io.waterclock.cli;

import org.jspecify.annotations.NullMarked;
