/**
 * Other schedulers, each in a process of its own with a database of their own, that do the same
 * work as Waterclock.
 */
@NullMarked
package io.waterclock.bench.peer;

import org.jspecify.annotations.NullMarked;
