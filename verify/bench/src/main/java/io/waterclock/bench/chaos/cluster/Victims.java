package io.waterclock.bench.chaos.cluster;

import java.util.List;

/**
 * What is hit: brokers and schedulers as processes, and what stands between them; the schema
 * registry that schedulers ask; a worker and the database of its effects.
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
 *
 * @param worker runs fires; its effects are in the database
 */
public record Victims(
    Brokers brokers,
    List<SchedulerNode> schedulers,
    TopicFaults topics,
    RegistryServer registry,
    EffectDatabase database,
    EffectWorker worker) {}
