/** Measures Waterclock against what Kafka itself can do, in the same run. */
@NullMarked
package io.waterclock.bench;

import org.jspecify.annotations.NullMarked;
