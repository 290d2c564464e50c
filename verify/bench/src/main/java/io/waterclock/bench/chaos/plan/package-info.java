/**
 * The plan of a run with faults, drawn from a seed: which fault comes when, to what, for how long.
 * Pure. A plan is printed as lines and can be read again.
 *
 * <pre>seed, kinds -> FaultPlan (planned faults: number, time, kind, target, duration, variant)
 * </pre>
 */
@NullMarked
package io.waterclock.bench.chaos.plan;

import org.jspecify.annotations.NullMarked;
