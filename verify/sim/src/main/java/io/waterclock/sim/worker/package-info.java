/** A model of a worker's process around the client's own rules. */
@NullMarked
package io.waterclock.sim.worker;

import org.jspecify.annotations.NullMarked;
