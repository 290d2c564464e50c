@NullMarked
package io.waterclock.cli.terminal;

import org.jspecify.annotations.NullMarked;
