/** The exceptions of the client. */
@NullMarked
package io.waterclock.client;

import org.jspecify.annotations.NullMarked;
