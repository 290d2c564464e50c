/** The scheduler on a real broker. */
@NullMarked
package io.waterclock.it;

import org.jspecify.annotations.NullMarked;
