/** Payloads in JSON with Jackson 3, which the client does not have. */
@NullMarked
package io.waterclock.spring.payload;

import org.jspecify.annotations.NullMarked;
