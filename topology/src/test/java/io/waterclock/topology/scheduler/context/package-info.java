@NullMarked
package io.waterclock.topology.scheduler.context;

import org.jspecify.annotations.NullMarked;
