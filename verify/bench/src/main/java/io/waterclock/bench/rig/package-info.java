/**
 * The processes of a run: broker, scheduler, baseline producer, and the clients that write and
 * read.
 */
@NullMarked
package io.waterclock.bench.rig;

import org.jspecify.annotations.NullMarked;
