/** What operators look at. */
@NullMarked
package io.waterclock.topology.runtime.http;

import org.jspecify.annotations.NullMarked;
