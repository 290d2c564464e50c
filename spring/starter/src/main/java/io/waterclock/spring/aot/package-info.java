/** Hints for native images. */
@NullMarked
package io.waterclock.spring.aot;

import org.jspecify.annotations.NullMarked;
