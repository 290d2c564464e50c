package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a worker still runs a fire when its turn has come. Time passes between a fire and
 * its turn: the work queue may be long, or the workers were down.
 *
 * <p><b>Tolerance.</b> The rule drops a scheduled run that would start before {@code last start +
 * interval - tolerance}. The interval is the one before this occurrence. The last start is the
 * start of any run of the schedule except those of a backfill, which concern past occurrences. The
 * rule never compares a run with itself: a fire that was handed back or whose worker died runs
 * again.
 */
public final class StartRule {
  private StartRule() {}

  /** What a worker does with a fire whose turn has come. */
  public sealed interface Verdict {
    /**
     * The worker runs it.
     *
     * @param deadline the end of its timeout, exclusive
     */
    record Run(Optional<Instant> deadline) implements Verdict {}

    /**
     * The worker drops it.
     *
     * @param text the reason with its numbers, for a person
     */
    record Drop(DropReason reason, String text) implements Verdict {}
  }

  /**
   * Decides about a first attempt; later attempts always run.
   *
   * @param last the last start of the schedule; used only with a tolerance
   */
  public static Verdict judge(Fire fire, RunPolicy policy, Optional<LastStart> last, Instant now) {
    Optional<Instant> expiry = policy.expires().map(fire.getFiredAt()::plus);
    if (expiry.isPresent() && !now.isBefore(expiry.get())) {
      return new Verdict.Drop(
          DropReason.EXPIRED,
          "it was emitted at " + fire.getFiredAt() + " and expired at " + expiry.get());
    }
    Optional<Instant> notBefore = notBefore(fire, policy, last);
    if (notBefore.isPresent() && now.isBefore(notBefore.get())) {
      return new Verdict.Drop(
          DropReason.TOO_SOON,
          Duration.between(last.orElseThrow().at(), now)
              + " after the last start; interval - tolerance allows a start at "
              + notBefore.get());
    }
    return new Verdict.Run(policy.timeout().map(now::plus));
  }

  /** True when a start of this fire counts as the last start of its schedule. */
  public static boolean counts(Fire fire) {
    return fire.getCause() != Cause.BACKFILL;
  }

  private static Optional<Instant> notBefore(
      Fire fire, RunPolicy policy, Optional<LastStart> last) {
    if (fire.getCause() != Cause.SCHEDULED || policy.tolerance().isEmpty()) {
      return Optional.empty();
    }
    return last.filter(start -> !start.fireId().equals(fire.getFireId()))
        .flatMap(
            start ->
                Neighbours.intervalBefore(fire)
                    .map(interval -> start.at().plus(interval).minus(policy.tolerance().get())));
  }
}
