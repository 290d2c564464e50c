/** What is known of one schedule, and the events that change it. Pure: no Kafka, no clock. */
@NullMarked
package io.waterclock.topology.scheduler.model;

import org.jspecify.annotations.NullMarked;
