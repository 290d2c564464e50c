/**
 * The rules, as pure functions: from a schedule's state and an event to a {@link
 * io.waterclock.topology.scheduler.decide.Decision}. Nothing here knows Kafka or reads a clock.
 */
@NullMarked
package io.waterclock.topology.scheduler.decide;

import org.jspecify.annotations.NullMarked;
