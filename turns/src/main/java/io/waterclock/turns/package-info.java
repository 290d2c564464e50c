/**
 * For Waterclock's own tests: some of them take turns, so that a build runs only a part of them.
 */
@NullMarked
package io.waterclock.turns;

import org.jspecify.annotations.NullMarked;
