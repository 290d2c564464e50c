package io.waterclock.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The end of the fires of a revision, by the timestamp of the record that ends them.
 *
 * <p>The scheduler may fire until it has read that record, which takes little time: after a
 * takeover a task reads all its input first. Clocks may also differ.
 *
 * @param what the record, for people
 * @param at its timestamp
 * @param until the time at which the scheduler knew of it; another check covers later fires
 * @param isNominal true where occurrences up to {@code at} may fire whenever they can
 */
record Stop(String what, Instant at, Optional<Instant> until, boolean isNominal) {
  /** The difference between clocks at which a scheduler stops. */
  static final Duration SLACK = Duration.ofSeconds(5);

  /** The delay of a fire that came too late; empty for any other. */
  Optional<Duration> overrun(Fires.Fired fire) {
    Instant judged = isNominal ? fire.at() : fire.firedAt();
    boolean isLate = judged.isAfter(at.plus(SLACK));
    boolean isKnown = until.filter(fire.firedAt()::isAfter).isPresent();
    return isLate && !isKnown ? Optional.of(Duration.between(at, judged)) : Optional.empty();
  }
}
