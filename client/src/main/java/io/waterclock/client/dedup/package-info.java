/** Doing a fire once, although it may be read twice. */
@NullMarked
package io.waterclock.client.dedup;

import org.jspecify.annotations.NullMarked;
