/** The HTTP server for operators: health, metrics, queries, watchdog requests. */
@NullMarked
package io.waterclock.runtime.http;

import org.jspecify.annotations.NullMarked;
