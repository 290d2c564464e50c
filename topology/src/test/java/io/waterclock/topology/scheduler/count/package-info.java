@NullMarked
package io.waterclock.topology.scheduler.count;

import org.jspecify.annotations.NullMarked;
