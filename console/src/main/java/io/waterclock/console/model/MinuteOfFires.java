package io.waterclock.console.model;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.Map;

/**
 * One minute.
 *
 * @param at its beginning
 * @param fires emitted in it, of any cause
 * @param missed occurrences that were decided as missed in it
 * @param outcomes that workers reported in it
 * @param lateness of the fires that were due by a trigger
 */
public record MinuteOfFires(
    Instant at,
    long fires,
    Map<MissedReason, Long> missed,
    Map<OutcomeState, Long> outcomes,
    Lateness lateness) {

  /**
   * How late fires were; the percentiles are exact to one per cent.
   *
   * @param fires how many; 0 leaves the other values without a meaning
   */
  public record Lateness(long fires, long p50Ms, long p99Ms, long maxMs) {
    static final Lateness NONE = new Lateness(0, 0, 0, 0);
  }

  static MinuteOfFires empty(Instant at) {
    return new MinuteOfFires(at, 0, Map.of(), Map.of(), Lateness.NONE);
  }
}
