/** Tests of bytes and order. */
@NullMarked
package io.waterclock.topology.scheduler.store;

import org.jspecify.annotations.NullMarked;
