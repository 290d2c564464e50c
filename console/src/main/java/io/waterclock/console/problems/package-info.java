/** Which schedules need a person, the gravest first; pure. */
@NullMarked
package io.waterclock.console.problems;

import org.jspecify.annotations.NullMarked;
