/** The HTTP server for operators: health, metrics, queries, watchdog requests. */
@NullMarked
package io.waterclock.topology.runtime.http;

import org.jspecify.annotations.NullMarked;
