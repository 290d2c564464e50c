package io.waterclock.audit;

import java.time.Duration;
import java.time.Instant;

/**
 * A summary of the fires of one revision that are wrong for the same reason. Takes constant memory.
 *
 * @param first inclusive, an occurrence
 * @param last inclusive, an occurrence
 * @param worst the largest deviation
 */
record WrongFires(Instant first, Instant last, long count, Duration worst) {

  static WrongFires of(Instant occurrence, Duration by) {
    return new WrongFires(occurrence, occurrence, 1, by);
  }

  WrongFires and(WrongFires other) {
    return new WrongFires(
        first.isBefore(other.first) ? first : other.first,
        last.isAfter(other.last) ? last : other.last,
        count + other.count,
        worst.compareTo(other.worst) > 0 ? worst : other.worst);
  }

  /** For people: {@code 7.2 s}. */
  String by() {
    return worst.toSeconds() + "." + worst.toMillisPart() / 100 + " s";
  }
}
