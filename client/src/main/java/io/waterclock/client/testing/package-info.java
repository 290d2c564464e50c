/** Tests of handlers, without a worker. */
@NullMarked
package io.waterclock.client.testing;

import org.jspecify.annotations.NullMarked;
