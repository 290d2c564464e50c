/** Writes a small service to begin with, whose files are those of a page of the documentation. */
@NullMarked
package io.waterclock.cli.create;

import org.jspecify.annotations.NullMarked;
