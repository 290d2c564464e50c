@NullMarked
package io.waterclock.topology.scheduler.apply;

import org.jspecify.annotations.NullMarked;
