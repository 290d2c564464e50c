/**
 * The rules, as pure functions: from a schedule's state and an event to a {@link
 * io.waterclock.decide.Decision}. Nothing here knows Kafka or reads a clock.
 */
@NullMarked
package io.waterclock.decide;

import org.jspecify.annotations.NullMarked;
