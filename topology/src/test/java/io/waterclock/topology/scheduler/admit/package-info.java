@NullMarked
package io.waterclock.topology.scheduler.admit;

import org.jspecify.annotations.NullMarked;
