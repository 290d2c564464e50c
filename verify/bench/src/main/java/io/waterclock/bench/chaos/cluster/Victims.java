package io.waterclock.bench.chaos.cluster;

import java.util.List;

/**
 * What is hit.
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
