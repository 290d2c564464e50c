/** The stores and the work queue of a task: bytes and order, no rules. */
@NullMarked
package io.waterclock.topology.scheduler.store;

import org.jspecify.annotations.NullMarked;
