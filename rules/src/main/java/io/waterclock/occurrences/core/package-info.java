/** Bounds, dates and words that triggers and searches share. */
@NullMarked
package io.waterclock.occurrences.core;

import org.jspecify.annotations.NullMarked;
