package io.waterclock.decide.model;

import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The runs of a schedule that requests outcomes; {@link #NONE} for all others. Fires of commands
 * have no run in this sense.
 *
 * @param latest the run of the latest fire, while it affects later occurrences
 * @param watches what is expected of its fires
 */
public record Runs(Optional<Run> latest, Failures failures, Watches watches) {
  /** For a schedule that requests no outcomes, or has not fired yet. */
  public static final Runs NONE = new Runs(Optional.empty(), Failures.NONE, Watches.NONE);

  public boolean isEmpty() {
    return latest.isEmpty() && failures.equals(Failures.NONE) && watches.isEmpty();
  }

  /**
   * The runs after a fire: its run replaces the previous one.
   *
   * @param orderedAt when a Resume ordered the fire
   */
  public Runs fired(FirePlan fire, Optional<Instant> orderedAt, Instant now) {
    if (fire.by().schedule().getOverlap() == Overlap.ALLOW) {
      return over();
    }
    Instant due =
        Stream.of(orderedAt, latest.map(Run::dueEnd))
            .flatMap(Optional::stream)
            .reduce(fire.occurrence().due(), (a, b) -> Instants.later(a, b));
    return new Runs(Run.of(fire, Instants.earlier(due, now), now), failures, watches);
  }

  /** The same with other watches. */
  public Runs with(Watches other) {
    return new Runs(latest, failures, other);
  }

  /** The same without a run. */
  public Runs over() {
    return latest.isEmpty() ? this : new Runs(Optional.empty(), failures, watches);
  }

  /** The same without failures: those of an earlier life count no more. */
  public Runs forgiven() {
    return new Runs(latest, Failures.NONE, watches);
  }

  /** True when no run went on at an instant, inclusive. */
  public boolean areOverBefore(Instant at) {
    return latest.filter(run -> !run.endsAt().isBefore(at)).isEmpty();
  }

  /**
   * The runs after a report of an outcome.
   *
   * @param counting empty if the report does not count as a failure or a success
   */
  public Runs reported(Event.Reported report, Optional<Failures.Counting> counting, Instant now) {
    return new Runs(
        latest.map(run -> run.reported(report, now)),
        counting.map(how -> failures.reported(report, how, now)).orElse(failures),
        watches);
  }

  /** The runs after a fire has waited for its limit. */
  public Runs waited(Event.Waited waited) {
    return new Runs(latest.map(run -> run.waited(waited)), failures, watches);
  }

  /**
   * The runs after a new definition. It keeps the failures, except those under definitions that did
   * not count them. A failing schedule stays failing until a success.
   */
  public Runs redefined(Accepted before, Accepted accepted) {
    if (!countsFailures(accepted)) {
      return new Runs(latest, failures.failing().isPresent() ? failures : Failures.NONE, watches);
    }
    return new Runs(
        latest,
        countsFailures(before)
            ? failures.begunAfter(before.ownsAfter())
            : new Failures(Optional.of(accepted.ownsAfter()), List.of(), failures.failing()),
        watches);
  }

  /** The runs after a resume: failures up to an instant, inclusive, no longer count. */
  public Runs resumed(Accepted current, Instant decidedThrough) {
    return countsFailures(current)
        ? new Runs(latest, failures.countingAfter(decidedThrough), watches)
        : this;
  }

  private static boolean countsFailures(Accepted accepted) {
    return accepted.schedule().getPauseAfterFailures() != null;
  }
}
