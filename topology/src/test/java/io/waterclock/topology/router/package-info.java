@NullMarked
package io.waterclock.topology.router;

import org.jspecify.annotations.NullMarked;
