package io.waterclock.topology.scheduler.count;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers by key, each kept until nothing was added to it for an hour. Its caller bounds the keys.
 * Not thread-safe.
 */
final class Lately<K> {
  static final Duration KEPT = Duration.ofHours(1);

  private record Tally(long count, Instant latest) {
    static Tally and(Tally one, Tally later) {
      return new Tally(one.count() + later.count(), later.latest());
    }
  }

  private final Map<K, Tally> tallies = new HashMap<>();

  void add(K key, long count, Instant now) {
    tallies.merge(key, new Tally(count, now), Tally::and);
  }

  boolean has(K key) {
    return tallies.containsKey(key);
  }

  int size() {
    return tallies.size();
  }

  Map<K, Long> at(Instant now) {
    tallies.values().removeIf(tally -> !now.isBefore(tally.latest().plus(KEPT)));
    Map<K, Long> counts = new HashMap<>();
    tallies.forEach((key, tally) -> counts.put(key, tally.count()));
    return counts;
  }
}
