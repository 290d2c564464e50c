package io.waterclock.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The end of what a revision may fire, by the timestamp of the record that says so.
 *
 * <p>The scheduler may fire on until it has read that record, which is soon: a task that takes a
 * partition over reads all of its input first. Clocks may differ besides.
 *
 * @param what the record, for people
 * @param at its timestamp
 * @param until when the scheduler knew of it: what is fired later is judged elsewhere
 * @param isNominal true where occurrences up to {@code at} may fire whenever they can
 */
record Stop(String what, Instant at, Optional<Instant> until, boolean isNominal) {
  /** As much as clocks may differ before a scheduler stops. */
  static final Duration SLACK = Duration.ofSeconds(5);

  /** By how much a fire came too late; empty for one that did not. */
  Optional<Duration> overrun(Fires.Fired fire) {
    Instant judged = isNominal ? fire.at() : fire.firedAt();
    boolean isLate = judged.isAfter(at.plus(SLACK));
    boolean isKnown = until.filter(fire.firedAt()::isAfter).isPresent();
    return isLate && !isKnown ? Optional.of(Duration.between(at, judged)) : Optional.empty();
  }
}
