/** Judges what became of records that were to be delivered later. */
@NullMarked
package io.waterclock.judge.later;

import org.jspecify.annotations.NullMarked;
