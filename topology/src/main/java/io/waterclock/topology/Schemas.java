package io.waterclock.topology;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.registry.CachedSchemas;
import io.waterclock.schemas.registry.PatientSchemas;
import io.waterclock.schemas.registry.Registration;
import io.waterclock.schemas.registry.RegistryClient;
import io.waterclock.schemas.registry.SchemaRegistry;
import io.waterclock.topology.runtime.config.WaterclockConfig;
import io.waterclock.topology.scheduler.emit.OutgoingSchemas;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The schemas of an instance. Where it writes in the Confluent wire format, it begins once the
 * registry has given it the ids of what it writes: a fire must not wait for them. Thread-safe.
 */
final class Schemas implements AutoCloseable {
  /** Well below the time after which a transaction that is open is aborted. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Optional<SchemaRegistry> registry;
  private final Wire wire;
  private final CompletableFuture<Void> ready;

  private Schemas(Optional<SchemaRegistry> registry, Wire wire, CompletableFuture<Void> ready) {
    this.registry = registry;
    this.wire = wire;
    this.ready = ready;
  }

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

  /** For a look at topics before there is an instance: asks at once, and waits for an answer. */
  static SchemaSource atOnce(WaterclockConfig config) {
    return config
        .registry()
        .<SchemaSource>map(settings -> new CachedSchemas(new RegistryClient(settings)))
        .orElseGet(SchemaSource::none);
  }

  Wire wire() {
    return wire;
  }

  /** For who can do nothing without a schema. */
  SchemaSource patient() {
    return new PatientSchemas(wire.schemas(), PATIENCE);
  }

  boolean isAway() {
    return registry.flatMap(SchemaRegistry::problem).isPresent();
  }

  /** Done once the registry has given the ids, by a thread of the registry's. */
  CompletableFuture<Void> ready() {
    return ready;
  }

  /** Why the instance cannot begin yet; empty when it can. */
  Optional<String> problem() {
    return ready.isDone()
        ? Optional.empty()
        : Optional.of(
            "the ids of the schemas that it writes are not known: "
                + registry
                    .flatMap(SchemaRegistry::problem)
                    .orElse("the schema registry is being asked"));
  }

  /** Asks for nothing any more; what was to begin does not begin. */
  @Override
  public void close() {
    registry.ifPresent(SchemaRegistry::close);
  }
}
