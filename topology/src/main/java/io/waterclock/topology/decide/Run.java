package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The run of a fire, for as long as it bears on the occurrences after it.
 *
 * @param at the occurrence that fired
 * @param timeout how long it may take from when it was fired or, if later, last started
 * @param endsAt exclusive: what is due before this instant came due while it ran. Until the end is
 *     reported, when it counts as ended
 * @param ended true when a worker has reported its end, which is final
 */
public record Run(Instant at, Instant firedAt, Duration timeout, Instant endsAt, boolean ended) {

  /**
   * The run that a fire begins.
   *
   * @return empty when nothing says when it would count as ended: the fire has neither a time-out
   *     nor a neighbouring occurrence
   */
  static Optional<Run> of(FirePlan fire, Instant firedAt) {
    return timeout(fire)
        .map(
            timeout ->
                new Run(fire.occurrence().at(), firedAt, timeout, firedAt.plus(timeout), false));
  }

  /** As its schedule says, or half the interval. */
  private static Optional<Duration> timeout(FirePlan fire) {
    Long timeoutMs = fire.by().schedule().getTimeoutMs();
    if (timeoutMs != null) {
      return Optional.of(Duration.ofMillis(timeoutMs));
    }
    Instant at = fire.occurrence().at();
    return fire.next()
        .map(next -> Duration.between(at, next))
        .or(() -> fire.previous().map(previous -> Duration.between(previous, at)))
        .map(interval -> Duration.ofMillis(interval.toMillis() / 2));
  }

  /** The same after a report, which may be of another fire. */
  Run reported(Event.Reported report, Instant now) {
    if (ended || !report.occurrence().equals(at)) {
      return this;
    }
    if (report.outcome() == OutcomeState.STARTED) {
      Instant started = within(report.startedAt().orElse(report.timestamp()), now);
      return endingAt(later(endsAt, started.plus(timeout)), false);
    }
    Instant end = within(report.timestamp(), now);
    return endingAt(end.isBefore(endsAt) ? end : endsAt, true);
  }

  /** Not before it was fired, nor in the future. */
  private Instant within(Instant told, Instant now) {
    return later(told.isAfter(now) ? now : told, firedAt);
  }

  private Run endingAt(Instant end, boolean isFinal) {
    return new Run(at, firedAt, timeout, end, isFinal);
  }

  private static Instant later(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }
}
