package io.waterclock.schemas.registry;

import io.waterclock.schemas.SchemaSource.Lookup;
import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;

/**
 * A cache of the most recently used answers of a registry. Schemas and refusals have separate
 * limits, so that a flood of refusals evicts no schema. Schemas never change; a refusal expires.
 * For one thread at a time.
 */
final class KeptSchemas {
  /** In characters of the schemas' text; about ten times as many bytes of heap. */
  private static final long MOST_TEXT = 32L << 20;

  /** How many refusals are kept, and how long, if nothing else is said. */
  static final int MOST_REFUSALS = 10_000;

  static final Duration REFUSAL_KEPT = Duration.ofMinutes(1);

  private static final int MOST_SCHEMAS = 10_000;
  private static final int LONGEST_REASON = 500;

  private record Known(Lookup.Known lookup, long text) {}

  private record Refused(Lookup.Refused lookup, long sinceNanos) {}

  private final Map<Integer, Known> schemas = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Integer, Refused> refusals = new LinkedHashMap<>(16, 0.75f, true);
  private final LongSupplier nanos;
  private final long refusalKeptNanos;
  private final int mostRefusals;
  private long text;

  /**
   * @param nanos monotonic time
   * @param mostRefusals inclusive
   */
  KeptSchemas(LongSupplier nanos, long refusalKeptNanos, int mostRefusals) {
    this.nanos = nanos;
    this.refusalKeptNanos = refusalKeptNanos;
    this.mostRefusals = mostRefusals;
  }

  /** True for an id that no registry assigns: it is refused without a request. */
  static boolean isImpossible(int id) {
    return id < 1;
  }

  Optional<Lookup> find(int id) {
    Known known = schemas.get(id);
    if (known != null) {
      return Optional.of(known.lookup());
    }
    Refused refused = refusals.get(id);
    if (refused != null && nanos.getAsLong() - refused.sinceNanos() >= refusalKeptNanos) {
      refusals.remove(id);
      return Optional.empty();
    }
    return Optional.ofNullable(refused).map(Refused::lookup);
  }

  /** Keeps an answer; returns false for one that says only that the registry is away. */
  boolean keep(int id, Lookup answer) {
    if (answer instanceof Lookup.Known known) {
      keep(id, known);
    } else if (answer instanceof Lookup.Refused refused) {
      keep(id, refused);
    }
    return !(answer instanceof Lookup.Unavailable);
  }

  private void keep(int id, Lookup.Known known) {
    refusals.remove(id);
    Known fresh = new Known(known, text(known.schema()));
    Known before = schemas.put(id, fresh);
    text += fresh.text() - (before == null ? 0 : before.text());
    Iterator<Known> eldest = schemas.values().iterator();
    while ((schemas.size() > MOST_SCHEMAS || text > MOST_TEXT) && schemas.size() > 1) {
      text -= eldest.next().text();
      eldest.remove();
    }
  }

  private void keep(int id, Lookup.Refused refused) {
    refusals.put(id, new Refused(shortened(refused), nanos.getAsLong()));
    Iterator<Refused> eldest = refusals.values().iterator();
    while (refusals.size() > mostRefusals) {
      eldest.next();
      eldest.remove();
    }
  }

  /** A registry may say as much as it likes. */
  private static Lookup.Refused shortened(Lookup.Refused refused) {
    return new Lookup.Refused(refused.reason(), SafeText.cut(refused.why(), LONGEST_REASON));
  }

  /** What cannot even be written counts as if it were the longest. */
  private static long text(Schema schema) {
    try {
      return schema.toString().length();
    } catch (RuntimeException | StackOverflowError e) {
      return RestClient.LONGEST;
    }
  }
}
