package io.waterclock.runtime;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.registry.Registration;
import io.waterclock.schemas.registry.RegistryClient;
import io.waterclock.schemas.registry.SchemaRegistry;
import io.waterclock.topology.scheduler.emit.OutgoingSchemas;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The schemas of an instance. An instance that writes the Confluent wire format starts when the
 * registry has returned the ids of its schemas, since a fire must not wait for them. Thread-safe.
 *
 * @param ready completes when the registry has returned the ids, on a thread of the registry
 */
record Schemas(Optional<SchemaRegistry> registry, Wire wire, CompletableFuture<Void> ready)
    implements AutoCloseable {
  /** Well below the transaction time-out, after which the broker aborts an open transaction. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A check asks a registry that is away once. */
  private static final Duration OUTAGE_OF_A_CHECK = Duration.ofMinutes(1);

  static Schemas of(WaterclockConfig config) {
    Optional<SchemaRegistry> registry = config.registry().map(SchemaRegistry::new);
    if (config.format() == WireFormat.AVRO_REGISTRY) {
      SchemaRegistry needed = registry.orElseThrow();
      Registration registration = needed.register(OutgoingSchemas.of(config.topics()));
      return new Schemas(registry, new Wire(registration.encoding(), needed), registration.done());
    }
    SchemaSource source = registry.isPresent() ? registry.get() : SchemaSource.none();
    return new Schemas(
        registry,
        new Wire(Encoding.of(config.format()), source),
        CompletableFuture.completedFuture(null));
  }

  /** A source for checks before the start: asks at once, and waits for the answer. */
  static SchemaSource atOnce(WaterclockConfig config) {
    return config
        .registry()
        .map(settings -> new RegistryClient(settings).kept(OUTAGE_OF_A_CHECK))
        .orElseGet(SchemaSource::none);
  }

  /** A source for readers that cannot continue without a schema: waits for it. */
  SchemaSource patient() {
    return wire.schemas().waiting(PATIENCE);
  }

  boolean isAway() {
    return registry.flatMap(SchemaRegistry::problem).isPresent();
  }

  /** Why the instance cannot start yet; empty when it can. */
  Optional<String> problem() {
    return ready.isDone()
        ? Optional.empty()
        : Optional.of(
            "the ids of its output schemas are not known: "
                + registry
                    .flatMap(SchemaRegistry::problem)
                    .orElse("waiting for the schema registry"));
  }

  /** Stops all requests; a pending start is cancelled. */
  @Override
  public void close() {
    registry.ifPresent(SchemaRegistry::close);
  }
}
