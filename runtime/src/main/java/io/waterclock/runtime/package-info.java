/** The application: {@link io.waterclock.runtime.Waterclock} starts a scheduler in this JVM. */
@NullMarked
package io.waterclock.runtime;

import org.jspecify.annotations.NullMarked;
