/** What a task keeps: bytes and order, no rules. */
@NullMarked
package io.waterclock.topology.scheduler.store;

import org.jspecify.annotations.NullMarked;
