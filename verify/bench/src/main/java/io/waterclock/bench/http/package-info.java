/** Clients of HTTP servers, each kind in a process of its own. */
@NullMarked
package io.waterclock.bench.http;

import org.jspecify.annotations.NullMarked;
