/** Logs what comes from outside: on one line, and at a bounded rate. */
@NullMarked
package io.waterclock.schemas.log;

import org.jspecify.annotations.NullMarked;
