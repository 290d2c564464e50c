/** What the judge and the audit get to read of a world that has ended. */
@NullMarked
package io.waterclock.sim.judge;

import org.jspecify.annotations.NullMarked;
