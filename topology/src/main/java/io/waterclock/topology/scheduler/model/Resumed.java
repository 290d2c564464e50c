package io.waterclock.topology.scheduler.model;

import java.time.Instant;

/**
 * A Resume command. It overrides a definition with {@code enabled = false} that was written before
 * it, in whatever order the two are read.
 *
 * @param at when it took effect: its timestamp, but for one from the future
 * @param firesOnce whether it asked for a fire for what the pause held
 */
public record Resumed(Instant at, boolean firesOnce) {}
