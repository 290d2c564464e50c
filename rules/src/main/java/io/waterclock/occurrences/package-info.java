/**
 * When does a trigger occur? Pure arithmetic on instants: no Kafka, no clock.
 *
 * <p>{@link io.waterclock.occurrences.Trigger} is the way in; everything here is immutable and safe
 * to share between threads.
 */
@NullMarked
package io.waterclock.occurrences;

import org.jspecify.annotations.NullMarked;
