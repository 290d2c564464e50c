/**
 * Schedules that the code declares: written at start, removed when they disappear from the code.
 */
@NullMarked
package io.waterclock.spring.schedule;

import org.jspecify.annotations.NullMarked;
