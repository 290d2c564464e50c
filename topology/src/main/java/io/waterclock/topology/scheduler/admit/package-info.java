/**
 * Admits input records: is each at home, new, readable and the newest? May change state only
 * through {@code apply}.
 */
@NullMarked
package io.waterclock.topology.scheduler.admit;

import org.jspecify.annotations.NullMarked;
