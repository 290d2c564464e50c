/** The commands that compute the occurrences of a trigger without Kafka. */
@NullMarked
package io.waterclock.cli.preview;

import org.jspecify.annotations.NullMarked;
