/**
 * The meaning of a definition: its trigger, calendars, limits and targets, and its problems. Pure,
 * shared by all modules that read definitions, and independent of a scheduler's configuration.
 */
@NullMarked
package io.waterclock.definition;

import org.jspecify.annotations.NullMarked;
