/** Threads that every module starts in the same way. */
@NullMarked
package io.waterclock.schemas.threads;

import org.jspecify.annotations.NullMarked;
