/** Metrics of workers, for services with Micrometer on their class path. */
@NullMarked
package io.waterclock.client.metrics;

import org.jspecify.annotations.NullMarked;
