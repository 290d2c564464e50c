@NullMarked
package io.waterclock.topology.decide;

import org.jspecify.annotations.NullMarked;
