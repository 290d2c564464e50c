/** The metrics of an instance, for Prometheus. Only this package imports Micrometer. */
@NullMarked
package io.waterclock.topology.runtime.metrics;

import org.jspecify.annotations.NullMarked;
