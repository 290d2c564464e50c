package io.waterclock.decide.model;

import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The run of a fire, while it affects later occurrences.
 *
 * @param at the occurrence that fired
 * @param due when it would have begun with every fire in time: when its occurrence was due or, if
 *     later, when a Resume ordered it, or when the run that it waited for would have ended
 * @param firedAt when it began; its fire may have waited for a limit since
 * @param timeout how long it may take from its fire or, if later, from its last start
 * @param endsAt exclusive: occurrences due before this instant overlap the run. Until the end is
 *     reported, the instant at which the run counts as ended
 * @param ended true when a worker has reported its end, which is final
 */
public record Run(
    Instant at, Instant due, Instant firedAt, Duration timeout, Instant endsAt, boolean ended) {
  /**
   * The run that a fire begins.
   *
   * @param due when it would have begun with every fire in time
   * @return empty when the run has no time-out: the fire has neither a time-out nor a neighbouring
   *     occurrence, or its time-out is none
   */
  static Optional<Run> of(FirePlan fire, Instant due, Instant firedAt) {
    return timeout(fire.by().schedule(), fire.occurrence().at(), fire.previous(), fire.next())
        .map(
            timeout ->
                new Run(
                    fire.occurrence().at(),
                    due,
                    firedAt,
                    timeout,
                    firedAt.plus(fire.longestWait()).plus(timeout),
                    false));
  }

  /**
   * The time-out of a run: that of its schedule, or half the interval to the next occurrence, or
   * from the previous one if none follows. Empty without any of these, or if the schedule's
   * time-out is none.
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

  /** When it would have ended with every fire in time. Until its end is reported, at the latest. */
  public Instant dueEnd() {
    return endsAt.minus(delay());
  }

  /** How long after its due instant it began. */
  public Duration delay() {
    return Duration.between(due, firedAt);
  }

  /** The same after a report; reports of other fires change nothing. */
  Run reported(Event.Reported report, Instant now) {
    if (ended || !report.occurrence().equals(at)) {
      return this;
    }
    if (report.outcome() == OutcomeState.STARTED) {
      Instant started = within(report.startedAt().orElse(report.timestamp()), now);
      return endingAt(Instants.later(endsAt, started.plus(timeout)), false);
    }
    Instant end = within(report.timestamp(), now);
    return endingAt(Instants.earlier(end, endsAt), true);
  }

  /** The same after its fire has waited for its limit: its time begins, or is over. */
  Run waited(Event.Waited waited) {
    if (ended || !waited.occurrence().equals(at)) {
      return this;
    }
    Instant from = Instants.later(waited.at(), firedAt);
    return waited.hasStarted()
        ? endingAt(Instants.earlier(from.plus(timeout), endsAt), false)
        : endingAt(Instants.earlier(from, endsAt), true);
  }

  /** The reported instant, limited to the time from the fire until now. */
  private Instant within(Instant reported, Instant now) {
    return Instants.later(Instants.earlier(reported, now), firedAt);
  }

  private Run endingAt(Instant end, boolean isFinal) {
    return new Run(at, due, firedAt, timeout, end, isFinal);
  }
}
