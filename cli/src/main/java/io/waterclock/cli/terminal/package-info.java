/** What every command reads and writes: options, text, tables, errors. */
@NullMarked
package io.waterclock.cli.terminal;

import org.jspecify.annotations.NullMarked;
