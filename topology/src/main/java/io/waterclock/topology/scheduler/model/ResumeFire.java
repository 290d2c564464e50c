package io.waterclock.topology.scheduler.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The one fire that a Resume has ordered for what its pause held: the last occurrence held, which
 * is undecided until it fires. The others are missed already.
 *
 * @param at the occurrence
 * @param others what else the fire stands for
 */
public record ResumeFire(Instant at, Optional<FirePlan.CollapsedRange> others) {}
