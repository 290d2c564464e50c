/**
 * Admits input records: is each at home, new, readable and the newest? The classes return lists of
 * effects, and {@code Admission} alone has the applier carry them out.
 */
@NullMarked
package io.waterclock.topology.scheduler.admit;

import org.jspecify.annotations.NullMarked;
