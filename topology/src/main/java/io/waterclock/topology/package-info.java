/** The application: {@link io.waterclock.topology.Waterclock} starts a scheduler in this JVM. */
@NullMarked
package io.waterclock.topology;

import org.jspecify.annotations.NullMarked;
