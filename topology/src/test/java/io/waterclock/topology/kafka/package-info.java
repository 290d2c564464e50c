@NullMarked
package io.waterclock.topology.kafka;

import org.jspecify.annotations.NullMarked;
