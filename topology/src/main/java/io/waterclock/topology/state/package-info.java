/** What a task keeps: bytes and order, no rules. */
@NullMarked
package io.waterclock.topology.state;

import org.jspecify.annotations.NullMarked;
