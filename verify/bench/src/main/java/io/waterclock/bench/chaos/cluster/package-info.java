/**
 * What is hit, the {@link Victims}: brokers and schedulers as processes, and what stands between
 * them; the schema registry that schedulers ask; a worker and the database of its effects.
 *
 * <pre>
 * SchedulerNode (process: ChaosScheduler, SteppedClock)
 *      |  each has listeners of its own at every broker, advertised at its
 *    Proxy (in this JVM; knows requests and responses: ProxiedConnection, Interference)
 *      |
 *   Brokers (processes)  <- everything else reaches them directly, EffectWorker (process) too
 *                                                                       |
 * RegistryServer (in this JVM)                                   EffectDatabase (processes)
 * </pre>
 */
@NullMarked
package io.waterclock.bench.chaos.cluster;

import org.jspecify.annotations.NullMarked;
