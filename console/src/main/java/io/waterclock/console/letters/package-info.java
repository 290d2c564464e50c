/** Sends dead letters again, or discards them. */
@NullMarked
package io.waterclock.console.letters;

import org.jspecify.annotations.NullMarked;
