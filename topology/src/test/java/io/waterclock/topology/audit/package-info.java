@NullMarked
package io.waterclock.topology.audit;

import org.jspecify.annotations.NullMarked;
