/** Tests of the simulation. */
@NullMarked
package io.waterclock.sim;

import org.jspecify.annotations.NullMarked;
