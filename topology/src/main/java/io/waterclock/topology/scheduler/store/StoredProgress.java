package io.waterclock.topology.scheduler.store;

import io.waterclock.topology.scheduler.model.CommandState;
import io.waterclock.topology.scheduler.model.Runs;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of a schedule out of step, as stored.
 *
 * @param decidedThrough inclusive
 * @param hasParts true when replaced revisions or waiting fires have other records
 * @param orders the command state without the waiting fires
 * @param runs of a schedule that requests outcomes
 */
record StoredProgress(
    Instant decidedThrough,
    Optional<Instant> replayThrough,
    Optional<String> fault,
    boolean hasParts,
    CommandState orders,
    Runs runs) {}
