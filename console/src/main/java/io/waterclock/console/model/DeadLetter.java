package io.waterclock.console.model;

import java.time.Instant;

/**
 * A record that the scheduler could not take.
 *
 * @param reason as the scheduler says it
 */
public record DeadLetter(
    Instant at, String topic, int partition, long offset, String key, String reason) {}
