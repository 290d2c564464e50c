package io.waterclock.decide.model;

import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A fire of which something is expected by a deadline; with {@code succeeded_every}, the time since
 * the last success.
 *
 * @param occurrence with {@code succeeded_every}, when the time began
 * @param due when the fire was due, from which its deadline counts
 * @param firedAt when it was fired; with {@code succeeded_every}, when the first fire of the time was
 * @param metAt when it came true, though late
 * @param report the latest of a worker
 */
public record OpenRun(
    Instant occurrence,
    Instant due,
    Optional<Instant> firedAt,
    Optional<Instant> metAt,
    Optional<Report> report) {

  /**
   * What a worker has reported of a run.
   *
   * @param at when
   * @param error bounded
   */
  public record Report(OutcomeState state, Instant at, Optional<String> error) {}

  static OpenRun of(Instant occurrence, Instant due, Optional<Instant> firedAt) {
    return new OpenRun(occurrence, due, firedAt, Optional.empty(), Optional.empty());
  }

  /** Inclusive: what comes true later is late. */
  public Instant deadline(Duration within) {
    return due.plus(within);
  }

  OpenRun fired(Instant at) {
    return firedAt.isPresent()
        ? this
        : new OpenRun(occurrence, due, Optional.of(at), metAt, report);
  }

  OpenRun met(Instant at) {
    return metAt.filter(known -> !at.isBefore(known)).isPresent()
        ? this
        : new OpenRun(occurrence, due, firedAt, Optional.of(at), report);
  }

  OpenRun reported(Report latest) {
    return report.filter(known -> latest.at().isBefore(known.at())).isPresent()
        ? this
        : new OpenRun(occurrence, due, firedAt, metAt, Optional.of(latest));
  }

  boolean isMetBy(Instant at) {
    return metAt.filter(met -> !met.isAfter(at)).isPresent();
  }
}
