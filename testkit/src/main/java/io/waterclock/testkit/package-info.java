/** For tests: a real broker in this JVM, and the real scheduler on a virtual clock. */
@NullMarked
package io.waterclock.testkit;

import org.jspecify.annotations.NullMarked;
