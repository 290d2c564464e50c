/** Tests of the rules of this package. */
@NullMarked
package io.waterclock.topology.scheduler.decide;

import org.jspecify.annotations.NullMarked;
