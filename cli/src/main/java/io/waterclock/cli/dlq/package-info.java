/** The commands about dead letters. */
@NullMarked
package io.waterclock.cli.dlq;

import org.jspecify.annotations.NullMarked;
