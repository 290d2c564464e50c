/** Observations of puts and runs. */
@NullMarked
package io.waterclock.spring.observe;

import org.jspecify.annotations.NullMarked;
