/** Export, import and reset: a scheduler's state as a file. */
@NullMarked
package io.waterclock.cli.transfer;

import org.jspecify.annotations.NullMarked;
