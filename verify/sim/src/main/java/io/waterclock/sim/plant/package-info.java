/** Faults to plant: each must be found, or the simulation lacks something. */
@NullMarked
package io.waterclock.sim.plant;

import org.jspecify.annotations.NullMarked;
