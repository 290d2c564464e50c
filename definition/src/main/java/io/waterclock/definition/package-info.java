/**
 * What a definition means: its trigger, and what is wrong with it. Pure, and shared by all who read
 * definitions; what a scheduler's configuration says of them is not known here.
 */
@NullMarked
package io.waterclock.definition;

import org.jspecify.annotations.NullMarked;
