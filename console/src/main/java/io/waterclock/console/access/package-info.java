/** Who asks, and who may see and do what. Pure. */
@NullMarked
package io.waterclock.console.access;

import org.jspecify.annotations.NullMarked;
