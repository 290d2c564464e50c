/** Input records, as read. */
@NullMarked
package io.waterclock.topology.scheduler.input;

import org.jspecify.annotations.NullMarked;
