/** Readers of the scheduler's topics and of its answers, for tools. */
@NullMarked
package io.waterclock.client.topics;

import org.jspecify.annotations.NullMarked;
