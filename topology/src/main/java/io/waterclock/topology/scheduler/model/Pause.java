package io.waterclock.topology.scheduler.model;

import java.time.Instant;
import java.util.Optional;

/**
 * A pause that a command has set.
 *
 * @param since inclusive: the last instant that occurred before it
 */
public record Pause(Instant since, Optional<String> note, Optional<String> author) {}
