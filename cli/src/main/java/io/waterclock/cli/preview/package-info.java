/** When a trigger occurs, worked out here and now, without Kafka. */
@NullMarked
package io.waterclock.cli.preview;

import org.jspecify.annotations.NullMarked;
