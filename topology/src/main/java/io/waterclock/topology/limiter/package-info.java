/**
 * The limiter: fires of schedules that share a limit wait here, and start when there is room. The
 * way in is {@link io.waterclock.topology.limiter.LimiterTopology}; which fire starts when is
 * decided by {@code io.waterclock.limits}.
 */
@NullMarked
package io.waterclock.topology.limiter;

import org.jspecify.annotations.NullMarked;
