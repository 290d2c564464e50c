package io.waterclock.decide.model;

import io.waterclock.definition.Occurrence;
import java.time.Instant;
import java.util.Optional;

/**
 * Missed and undecided occurrences of a replaced revision. None will fire under that revision, so
 * this replaces it.
 *
 * @param seq the place in the order of replaced revisions
 * @param first inclusive
 * @param last inclusive
 * @param beforeLast the occurrence before the last, if it is not also the first
 * @param count how many occurrences lie between first and last
 * @param exact false when counting was cut short
 * @param collapses true: they collapse into the next fire of the newest revision; false: they are
 *     missed
 */
public record CarriedOccurrences(
    long seq,
    String revision,
    Instant first,
    Occurrence last,
    Optional<Instant> beforeLast,
    long count,
    boolean exact,
    boolean collapses) {

  /** The same occurrences, missed. */
  public MissedRange missed(MissedRange.Why why) {
    return new MissedRange(revision, first, last.at(), count, exact, why);
  }
}
