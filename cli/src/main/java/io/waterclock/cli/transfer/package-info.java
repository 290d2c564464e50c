/** The commands that export, import and reset the state of a scheduler. */
@NullMarked
package io.waterclock.cli.transfer;

import org.jspecify.annotations.NullMarked;
