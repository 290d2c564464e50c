@NullMarked
package io.waterclock.limits;

import org.jspecify.annotations.NullMarked;
