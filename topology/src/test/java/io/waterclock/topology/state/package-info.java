/** Tests of bytes and order. */
@NullMarked
package io.waterclock.topology.state;

import org.jspecify.annotations.NullMarked;
