/** What travels: ids, keys and wire formats. No logic. */
@NullMarked
package io.waterclock.schemas;

import org.jspecify.annotations.NullMarked;
