package io.waterclock.schemas.registry;

import io.waterclock.schemas.SchemaSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Asks a registry, and keeps its answers within the bounds of {@link KeptSchemas}. After an outage
 * it does not ask for a while, so that a reader does not wait for a time-out at each record. A
 * lookup may wait for the registry. Thread-safe.
 */
final class KeptAnswers implements SchemaSource {
  private final SchemaSource registry;
  private final LongSupplier nanos;
  private final long quietNanos;
  private final KeptSchemas kept;
  private Optional<Outage> outage = Optional.empty();

  private record Outage(Lookup lookup, long sinceNanos) {}

  /**
   * @param nanos monotonic time
   * @param quiet how long not to ask after an outage
   */
  KeptAnswers(SchemaSource registry, LongSupplier nanos, Duration quiet) {
    this.registry = registry;
    this.nanos = nanos;
    this.quietNanos = quiet.toNanos();
    this.kept =
        new KeptSchemas(nanos, KeptSchemas.REFUSAL_KEPT.toNanos(), KeptSchemas.MOST_REFUSALS);
  }

  @Override
  public Lookup lookup(int id) {
    if (KeptSchemas.isImpossible(id)) {
      return registry.lookup(id); // without a question
    }
    return find(id).orElseGet(() -> keep(id, registry.lookup(id)));
  }

  private synchronized Optional<Lookup> find(int id) {
    outage = outage.filter(last -> nanos.getAsLong() - last.sinceNanos() < quietNanos);
    return kept.find(id).or(() -> outage.map(Outage::lookup));
  }

  private synchronized Lookup keep(int id, Lookup answer) {
    if (!kept.keep(id, answer)) {
      outage = Optional.of(new Outage(answer, nanos.getAsLong()));
    }
    return answer;
  }
}
