@NullMarked
package io.waterclock.topology.limiter;

import org.jspecify.annotations.NullMarked;
