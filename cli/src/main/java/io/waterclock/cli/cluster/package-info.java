/** The Kafka cluster with the scheduler's topics, and the options that name it. */
@NullMarked
package io.waterclock.cli.cluster;

import org.jspecify.annotations.NullMarked;
