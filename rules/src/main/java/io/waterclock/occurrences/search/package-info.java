/** Searches for instants: wall-clock patterns in a zone, grids and recurrence rules. */
@NullMarked
package io.waterclock.occurrences.search;

import org.jspecify.annotations.NullMarked;
