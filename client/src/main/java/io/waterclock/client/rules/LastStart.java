package io.waterclock.client.rules;

import java.time.Instant;

/**
 * The last start of a schedule.
 *
 * @param fireId the id of the fire that ran
 * @param at when its first attempt started
 */
public record LastStart(String fireId, Instant at) {}
