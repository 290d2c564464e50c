/** What is known of one schedule, and the events that change it. Pure: no Kafka, no clock. */
@NullMarked
package io.waterclock.decide.model;

import org.jspecify.annotations.NullMarked;
