/** Judges what became of fires that waited for limits. */
@NullMarked
package io.waterclock.judge.limits;

import org.jspecify.annotations.NullMarked;
