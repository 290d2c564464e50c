package io.waterclock.client.worker;

import io.waterclock.client.payload.Payloads;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.registry.RegistrySettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.clients.CommonClientConfigs;

/** The configuration of a worker, from its builder. */
record WorkerConfig(
    String groupId,
    Topics topics,
    String deadLetterTopic,
    Handlers handlers,
    Payloads payloads,
    Optional<OnUnhandled> onUnhandled,
    BiFunction<Fire, RunPolicy, RunPolicy> policy,
    int threads,
    int buffer,
    Map<String, Integer> shares,
    int remembered,
    Reporting reporting,
    RetryPlan retry,
    boolean isOrdered,
    StartAt startAt,
    Duration patience,
    Duration handOver,
    Optional<WorkerListener> listener,
    Optional<RegistrySettings> registry,
    Map<String, Object> consumer,
    Map<String, Object> producer,
    Map<String, Object> admin) {
  /** The addresses of the brokers, for messages. */
  String address() {
    return String.valueOf(admin.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
  }
}
