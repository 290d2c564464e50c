/**
 * What people and services do while faults happen: they define, edit and delete schedules, write
 * commands, and report the outcomes of fires. Drawn from a seed; nothing here knows of faults.
 *
 * <pre>
 * seed -> Load (one action at a time) -> Definitions -> Sender -> schedules, commands, outcomes
 *                                                         |
 *                                                   ProducerReleases (some as Avro) -> registry
 * </pre>
 */
@NullMarked
package io.waterclock.bench.chaos.load;

import org.jspecify.annotations.NullMarked;
