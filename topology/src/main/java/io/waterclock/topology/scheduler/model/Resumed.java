package io.waterclock.topology.scheduler.model;

import java.time.Instant;

/**
 * A Resume command. It overrides an earlier definition with {@code enabled = false}, in any order
 * of reading.
 *
 * @param at when it took effect: its timestamp, at most the time of its execution
 * @param firesOnce whether it requested a fire for the occurrences in the pause
 */
public record Resumed(Instant at, boolean firesOnce) {}
