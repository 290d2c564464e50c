package io.waterclock.topology.scheduler.model;

import io.waterclock.schemas.avro.Overlap;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of the runs of a schedule that asks for outcomes; {@link #NONE} for all others.
 * What commands order beside the trigger is no run in this sense.
 *
 * @param latest the run of the latest fire, as long as it bears on what comes after it
 */
public record Runs(Optional<Run> latest, Failures failures) {
  /** Of a schedule that does not ask, or has not fired yet. */
  public static final Runs NONE = new Runs(Optional.empty(), Failures.NONE);

  public boolean isEmpty() {
    return latest.isEmpty() && failures.equals(Failures.NONE);
  }

  /** After a fire: its run takes the place of the one before it. */
  public Runs fired(FirePlan fire, Instant now) {
    if (fire.by().schedule().getOverlap() == Overlap.ALLOW) {
      return over();
    }
    return new Runs(Run.of(fire, now), failures);
  }

  /** Without a run that bears on anything. */
  public Runs over() {
    return latest.isEmpty() ? this : new Runs(Optional.empty(), failures);
  }

  /** After a report of what became of a fire. */
  public Runs reported(Event.Reported report, boolean countsFailures, Instant now) {
    return new Runs(
        latest.map(run -> run.reported(report, now)),
        countsFailures ? failures.reported(report) : failures);
  }

  /**
   * As they are for a new definition, which forgives nothing; but nothing counts that belongs to
   * definitions which did not count failures.
   */
  public Runs redefined(Accepted before, Accepted accepted) {
    if (!countsFailures(accepted)) {
      return new Runs(latest, Failures.NONE);
    }
    Accepted first = countsFailures(before) ? before : accepted;
    return new Runs(latest, failures.begunAfter(first.ownsAfter()));
  }

  /** As they are after a resume: what failed up to an instant, inclusive, is forgiven. */
  public Runs resumed(Accepted current, Instant decidedThrough) {
    return countsFailures(current)
        ? new Runs(latest, failures.countingAfter(decidedThrough))
        : this;
  }

  private static boolean countsFailures(Accepted accepted) {
    return accepted.schedule().getPauseAfterFailures() != null;
  }
}
