/** Applies decisions: the only writer to stores, the queue and topics. */
@NullMarked
package io.waterclock.topology.scheduler.apply;

import org.jspecify.annotations.NullMarked;
