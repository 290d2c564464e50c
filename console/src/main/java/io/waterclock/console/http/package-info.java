/** The HTTP server: pages, the JSON API, events. */
@NullMarked
package io.waterclock.console.http;

import org.jspecify.annotations.NullMarked;
