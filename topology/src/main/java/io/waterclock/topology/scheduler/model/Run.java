package io.waterclock.topology.scheduler.model;

import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
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
   *     nor a neighbouring occurrence, or its time-out is none
   */
  static Optional<Run> of(FirePlan fire, Instant firedAt) {
    return timeout(fire.by().schedule(), fire.occurrence().at(), fire.previous(), fire.next())
        .map(
            timeout ->
                new Run(fire.occurrence().at(), firedAt, timeout, firedAt.plus(timeout), false));
  }

  /**
   * How long a run may take: as its schedule says, or half the interval to the next occurrence, or
   * from the previous one where none follows. Empty where nothing says or it says none.
   */
  public static Optional<Duration> timeout(
      Schedule schedule, Instant at, Optional<Instant> previous, Optional<Instant> next) {
    Long timeoutMs = schedule.getTimeoutMs();
    if (schedule.getTimeoutNone()) {
      return Optional.empty();
    }
    if (timeoutMs != null) {
      return Optional.of(Duration.ofMillis(timeoutMs));
    }
    return next.map(following -> Duration.between(at, following))
        .or(() -> previous.map(before -> Duration.between(before, at)))
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
