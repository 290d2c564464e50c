package io.waterclock.decide.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The one fire of a Resume for the occurrences in its pause: the last of them, which is undecided
 * until it fires. The others are missed already.
 *
 * @param at the occurrence
 * @param orderedAt when the Resume took effect
 * @param others the other occurrences that the fire stands for
 */
public record ResumeFire(Instant at, Instant orderedAt, Optional<FirePlan.CollapsedRange> others) {}
