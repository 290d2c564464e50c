/** Services that use Waterclock. Each has its own main method and needs no other. */
@NullMarked
package io.waterclock.examples;

import org.jspecify.annotations.NullMarked;
