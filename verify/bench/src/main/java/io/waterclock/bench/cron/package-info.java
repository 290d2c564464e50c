/** Measures the search for occurrences against the cron libraries of the JVM, in the same run. */
@NullMarked
package io.waterclock.bench.cron;

import org.jspecify.annotations.NullMarked;
