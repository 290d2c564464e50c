/**
 * Reads the schedules of other schedulers and says what has no equal here, and compares the
 * occurrences of both sides. No Kafka, no terminal.
 */
@NullMarked
package io.waterclock.cli.source;

import org.jspecify.annotations.NullMarked;
