/**
 * The definitions of the simulation, and a computation of their occurrences by counting, which
 * shares no code with the scheduler.
 */
@NullMarked
package io.waterclock.sim.spec;

import org.jspecify.annotations.NullMarked;
