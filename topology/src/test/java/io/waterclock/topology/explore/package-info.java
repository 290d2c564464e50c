/** Plays every history of a small model, to find the shortest one that breaks a promise. */
@NullMarked
package io.waterclock.topology.explore;

import org.jspecify.annotations.NullMarked;
