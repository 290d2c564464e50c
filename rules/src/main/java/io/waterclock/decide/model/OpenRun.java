package io.waterclock.decide.model;

import io.waterclock.schemas.avro.Fault;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.text.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A fire of which something is expected by a deadline; with {@code succeeded_every}, the time from
 * one success to the next.
 *
 * @param occurrence of the fire; with {@code succeeded_every}, when the time began
 * @param deadline inclusive: what comes true later is late
 * @param firedAt when it was fired; with {@code succeeded_every}, when the first fire of the time
 *     was, empty while nothing is expected
 * @param metAt when it came true
 * @param report the latest of a worker
 */
public record OpenRun(
    Instant occurrence,
    Instant deadline,
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

  /** A run that has just been fired. */
  static OpenRun fired(Instant occurrence, Instant deadline, Instant at) {
    return new OpenRun(occurrence, deadline, Optional.of(at), Optional.empty(), Optional.empty());
  }

  /** Nothing has been fired since an instant. */
  static OpenRun since(Instant at, Instant deadline) {
    return new OpenRun(at, deadline, Optional.empty(), Optional.empty(), Optional.empty());
  }

  OpenRun fired(Instant at) {
    return firedAt.isPresent()
        ? this
        : new OpenRun(occurrence, deadline, Optional.of(at), metAt, report);
  }

  /** The earliest of several instants counts, in whatever order they are known. */
  OpenRun met(Instant at) {
    return isMetBy(at) ? this : new OpenRun(occurrence, deadline, firedAt, Optional.of(at), report);
  }

  OpenRun reported(Report latest) {
    return report.filter(known -> latest.at().isBefore(known.at())).isPresent()
        ? this
        : new OpenRun(occurrence, deadline, firedAt, metAt, Optional.of(latest));
  }

  /**
   * When it is late if it has not come true: at its deadline, or when it was fired after that;
   * empty while nothing is expected.
   */
  public Optional<Instant> lateAt() {
    return firedAt.map(at -> Instants.later(at, deadline));
  }

  /** From when its time counts, or when it was fired if that is earlier. */
  Instant began(Duration within) {
    Instant counted = deadline.minus(within);
    return firedAt.map(at -> Instants.earlier(at, counted)).orElse(counted);
  }

  /**
   * True for the time from a success that came after a fire was due, and was read before it fired.
   */
  boolean isMetBefore(Instant due) {
    return firedAt.isEmpty() && !due.isAfter(occurrence);
  }

  boolean isMetBy(Instant at) {
    return metAt.filter(met -> !met.isAfter(at)).isPresent();
  }

  boolean isMetInTime() {
    return lateAt().map(this::isMetBy).orElse(true);
  }

  /** Why it is late. */
  public Fault fault() {
    if (firedAt.filter(deadline::isBefore).isPresent()) {
      return Fault.SCHEDULER;
    }
    return report.isPresent() ? Fault.WORKER : Fault.NOT_REPORTED;
  }
}
