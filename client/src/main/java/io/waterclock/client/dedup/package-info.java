/** Deduplication: a service applies a fire once, although it may read it twice. */
@NullMarked
package io.waterclock.client.dedup;

import org.jspecify.annotations.NullMarked;
