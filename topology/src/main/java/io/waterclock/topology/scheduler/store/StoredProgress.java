package io.waterclock.topology.scheduler.store;

import io.waterclock.topology.scheduler.model.CommandState;
import io.waterclock.topology.scheduler.model.Runs;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of a schedule out of step.
 *
 * @param decidedThrough inclusive
 * @param hasParts true when replaced revisions or ordered fires are stored beside it
 * @param orders all of them but the ordered fires
 * @param runs what is known of its runs, where it asks for outcomes
 */
record StoredProgress(
    Instant decidedThrough,
    Optional<Instant> replayThrough,
    Optional<String> fault,
    boolean hasParts,
    CommandState orders,
    Runs runs) {}
