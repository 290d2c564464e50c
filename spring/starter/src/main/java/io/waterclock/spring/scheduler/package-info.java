/** A scheduler in the application's JVM. */
@NullMarked
package io.waterclock.spring.scheduler;

import org.jspecify.annotations.NullMarked;
