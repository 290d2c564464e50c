/** Annotated methods as handlers of fires. */
@NullMarked
package io.waterclock.spring.handler;

import org.jspecify.annotations.NullMarked;
