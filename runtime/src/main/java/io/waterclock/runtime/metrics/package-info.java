/** The metrics of an instance, for Prometheus. Only this package imports Micrometer. */
@NullMarked
package io.waterclock.runtime.metrics;

import org.jspecify.annotations.NullMarked;
