package io.waterclock.decide.model;

import io.waterclock.definition.CommandValidation;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.text.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A backfill command's range of decided occurrences, which fire again.
 *
 * @param from inclusive
 * @param to exclusive: the commanded end, limited to the occurrences decided by then
 * @param pace in which order, and how many at a time
 * @param firedThrough inclusive: every occurrence of the range up to this instant has fired; before
 *     {@code from} when none has. With the newest first: every one from this instant on; {@code to}
 *     when none has
 * @param fired the number of fires so far
 * @param under the number of the revision that was in force at the command, if another has replaced
 *     it: the backfill fires by that one
 * @param going the runs that count in the bound of its pace, {@link CommandValidation#MOST_RUNNING}
 *     at most
 */
public record Backfill(
    String commandId,
    Instant from,
    Instant to,
    Pace pace,
    Instant firedThrough,
    long fired,
    OptionalLong under,
    List<Going> going) {

  /**
   * How a backfill fires.
   *
   * @param newestFirst whether the newest occurrence fires first
   * @param maxRunning how many of its fires may run at a time; at least 1
   */
  public record Pace(boolean newestFirst, OptionalInt maxRunning) {}

  /**
   * A run under way.
   *
   * @param at its occurrence
   * @param timeout how long it may take from its fire or, if later, from its last start
   * @param endsAt exclusive: when it counts as ended without a report
   */
  public record Going(Instant at, Duration timeout, Instant endsAt) {}

  public Backfill {
    going = List.copyOf(going);
  }

  /** A backfill that has not begun, by the revision in force. */
  public static Backfill of(String commandId, Instant from, Instant to, Pace pace) {
    Instant none = pace.newestFirst() ? to : from.minusMillis(1);
    return new Backfill(commandId, from, to, pace, none, 0, OptionalLong.empty(), List.of());
  }

  /**
   * The same after more fires.
   *
   * @param runs theirs, and those that went on before
   */
  public Backfill through(Instant at, long more, List<Going> runs) {
    return new Backfill(commandId, from, to, pace, at, fired + more, under, runs);
  }

  /** The same by another revision. */
  public Backfill under(OptionalLong replaced) {
    return new Backfill(commandId, from, to, pace, firedThrough, fired, replaced, going);
  }

  /**
   * True when it may fire, or end, as far as what is decided allows it.
   *
   * @param decidedThrough inclusive
   */
  boolean isReady(Instant decidedThrough) {
    return pace.newestFirst()
        ? !decidedThrough.isBefore(to.minusMillis(1))
        : firedThrough.isBefore(decidedThrough);
  }

  /** Until when as many of its fires run as may, without another report; empty if fewer do. */
  public Optional<Instant> heldUntil() {
    return pace.maxRunning().isPresent() && going.size() >= pace.maxRunning().getAsInt()
        ? going.stream().map(Going::endsAt).min(Instant::compareTo)
        : Optional.empty();
  }

  /** The runs that are not over. */
  public List<Going> goingAt(Instant now) {
    return going.stream().filter(run -> run.endsAt().isAfter(now)).toList();
  }

  /** The same after a report; the same object if that changes nothing. */
  public Backfill reported(Event.BackfillReported report, Instant now) {
    List<Going> runs = new ArrayList<>(going);
    boolean isOfOne =
        report.outcome() == OutcomeState.STARTED
            ? runs.stream().anyMatch(run -> run.at().equals(report.occurrence()))
            : runs.removeIf(run -> run.at().equals(report.occurrence()));
    if (!isOfOne) {
      return this;
    }
    if (report.outcome() == OutcomeState.STARTED) {
      Instant started = Instants.earlier(report.startedAt().orElse(report.timestamp()), now);
      runs.replaceAll(run -> run.at().equals(report.occurrence()) ? started(run, started) : run);
      if (runs.equals(going)) {
        return this;
      }
    }
    return through(firedThrough, 0, runs);
  }

  private static Going started(Going run, Instant at) {
    return new Going(run.at(), run.timeout(), Instants.later(run.endsAt(), at.plus(run.timeout())));
  }
}
