@NullMarked
package io.waterclock.moving;

import org.jspecify.annotations.NullMarked;
