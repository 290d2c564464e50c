/** Services that use Waterclock. Each is a main of its own and stands alone. */
@NullMarked
package io.waterclock.examples;

import org.jspecify.annotations.NullMarked;
