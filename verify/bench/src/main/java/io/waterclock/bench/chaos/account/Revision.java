package io.waterclock.bench.chaos.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A change of a schedule, as it was written.
 *
 * @param name the position of its record
 * @param fromMs the record's timestamp
 * @param atHomeMs when it was in the partition of its key; of a stray, when a consumer had it there
 * @param readMs when a consumer had it, or later its schema, so that the scheduler could have it
 * @param waited whether it waited for a schema
 * @param definition empty for a delete
 */
record Revision(
    String name,
    long fromMs,
    long atHomeMs,
    long readMs,
    boolean waited,
    Optional<ObservedDefinition> definition) {
  private static final String MOVED = "waterclock-moved";
  private static final String STRAY = "waterclock-stray";

  /**
   * On a definition: the scheduler wrote again what is in force, behind a record at home that is
   * older than a stray.
   */
  private static final String ORIGIN = "waterclock-origin";

  /** The changes of a schedule, from the records of its id in the partition of its key. */
  static List<Revision> of(List<Entry> home) {
    List<Revision> revisions = new ArrayList<>();
    Optional<String> inForce = Optional.empty();
    long latestMs = Long.MIN_VALUE;
    for (Entry entry : home) {
      boolean isOlder = entry.timestampMs() < latestMs;
      boolean isRestated = entry.headers().containsKey(ORIGIN) && entry.value().isPresent();
      if (entry.headers().containsKey(MOVED) || isRestated || isOlder) {
        continue;
      }
      latestMs = entry.timestampMs(); // also of a record that changes nothing: a stray must beat it
      if (entry.value().equals(inForce)) {
        continue;
      }
      inForce = entry.value();
      revisions.add(
          new Revision(
              entry.position(),
              entry.timestampMs(),
              entry.headers().containsKey(STRAY) ? entry.receivedMs() : entry.timestampMs(),
              entry.readableMs(),
              entry.readableMs() > entry.receivedMs(),
              entry.value().map(ObservedDefinition::parse)));
    }
    return revisions;
  }
}
