/**
 * Measures Waterclock beside what Kafka itself can do, and beside what one would pick instead, in
 * the same run.
 */
@NullMarked
package io.waterclock.bench;

import org.jspecify.annotations.NullMarked;
