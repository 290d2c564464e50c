/** Reads durations, intervals, instants and dates from text, and writes text safely for people. */
@NullMarked
package io.waterclock.schemas.text;

import org.jspecify.annotations.NullMarked;
