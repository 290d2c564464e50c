/** Measures fires, ticks and CPU time. Knows neither brokers nor processes. */
@NullMarked
package io.waterclock.bench.meter;

import org.jspecify.annotations.NullMarked;
