@NullMarked
package io.waterclock.topology.scheduler.guard;

import org.jspecify.annotations.NullMarked;
