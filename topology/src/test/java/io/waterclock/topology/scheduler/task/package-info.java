@NullMarked
package io.waterclock.topology.scheduler.task;

import org.jspecify.annotations.NullMarked;
