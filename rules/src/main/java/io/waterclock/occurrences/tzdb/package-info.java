/** Versions of the time-zone database other than that of the JVM. */
@NullMarked
package io.waterclock.occurrences.tzdb;

import org.jspecify.annotations.NullMarked;
