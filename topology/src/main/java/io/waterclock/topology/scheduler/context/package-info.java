/**
 * The context of a partition's scheduler: its settings, and interfaces to the rest of the
 * application.
 */
@NullMarked
package io.waterclock.topology.scheduler.context;

import org.jspecify.annotations.NullMarked;
