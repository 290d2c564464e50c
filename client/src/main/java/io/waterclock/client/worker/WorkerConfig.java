package io.waterclock.client.worker;

import io.waterclock.client.rules.RunPolicy;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.registry.RegistrySettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** The configuration of a worker, from its builder. */
record WorkerConfig(
    String groupId,
    Topics topics,
    String deadLetterTopic,
    Handlers handlers,
    Optional<OnUnhandled> onUnhandled,
    BiFunction<Fire, RunPolicy, RunPolicy> policy,
    int threads,
    int buffer,
    Map<String, Integer> shares,
    int remembered,
    boolean alwaysReport,
    Duration patience,
    Duration handOver,
    Optional<WorkerListener> listener,
    Optional<RegistrySettings> registry,
    Map<String, Object> consumer,
    Map<String, Object> producer,
    Map<String, Object> admin) {}
