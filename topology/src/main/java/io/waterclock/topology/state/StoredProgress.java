package io.waterclock.topology.state;

import io.waterclock.topology.decide.Orders;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of a schedule out of step.
 *
 * @param decidedThrough inclusive
 * @param hasParts true when replaced revisions or ordered fires are stored beside it
 * @param orders all of them but the ordered fires
 */
record StoredProgress(
    Instant decidedThrough,
    Optional<Instant> replayThrough,
    Optional<String> fault,
    boolean hasParts,
    Orders orders) {}
