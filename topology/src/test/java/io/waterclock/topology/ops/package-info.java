@NullMarked
package io.waterclock.topology.ops;

import org.jspecify.annotations.NullMarked;
