/** The scheduler on a real broker. */
@NullMarked
package io.waterclock.testkit.broker;

import org.jspecify.annotations.NullMarked;
