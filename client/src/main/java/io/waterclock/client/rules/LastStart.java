package io.waterclock.client.rules;

import java.time.Instant;

/**
 * When a schedule last began to run.
 *
 * @param fireId of that run
 * @param at when its first attempt started
 */
public record LastStart(String fireId, Instant at) {}
