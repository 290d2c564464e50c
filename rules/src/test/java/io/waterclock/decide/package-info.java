/** Tests of the rules of this package. */
@NullMarked
package io.waterclock.decide;

import org.jspecify.annotations.NullMarked;
