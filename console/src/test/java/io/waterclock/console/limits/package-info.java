@NullMarked
package io.waterclock.console.limits;

import org.jspecify.annotations.NullMarked;
