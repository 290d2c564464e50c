@NullMarked
package io.waterclock.topology.stream;

import org.jspecify.annotations.NullMarked;
