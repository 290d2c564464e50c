package io.waterclock.topology.state;

import java.time.Instant;
import java.util.Optional;

/**
 * The progress of a schedule out of step.
 *
 * @param decidedThrough inclusive
 * @param hasReplaced true when replaced revisions are stored beside it
 */
record StoredProgress(
    Instant decidedThrough,
    Optional<Instant> replayThrough,
    Optional<String> fault,
    boolean hasReplaced) {}
