@NullMarked
package io.waterclock.topology.runtime.brokers;

import org.jspecify.annotations.NullMarked;
