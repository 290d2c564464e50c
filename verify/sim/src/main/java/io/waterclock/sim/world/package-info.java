/** Traces of events, the world in which they happen, and the search for a shorter trace. */
@NullMarked
package io.waterclock.sim.world;

import org.jspecify.annotations.NullMarked;
