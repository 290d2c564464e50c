package io.waterclock.client.schedules;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The run of one fire: what its worker has reported. A fire that a backfill repeats has a run of
 * its own for that. Each text has about 4,000 characters at most.
 *
 * @param backfill the id of the command of the backfill that ordered it; empty for others
 * @param firedAt when the scheduler fired it, where that is known
 * @param state how it ended, or STARTED; empty without a report; {@link #counts} says of which. A
 *     failure with a retry is no end
 * @param attempts the number of the latest attempt that is known, from 1; 0 without a report
 * @param startedAt when the latest attempt started, by the clock of the worker
 * @param endedAt by the clock of the worker
 * @param reportedAt when the state was reported
 * @param worker who ran it
 * @param reason why it was dropped or given up
 * @param retryAt with FAILED: the fire waits, and runs again from this instant on
 */
public record FireRun(
    FireKey fire,
    Optional<String> backfill,
    Optional<Instant> firedAt,
    Optional<OutcomeState> state,
    int attempts,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<Instant> reportedAt,
    Optional<String> worker,
    Optional<String> reason,
    Optional<String> error,
    Optional<String> output,
    Optional<Instant> retryAt) {
  private static final int LONGEST_TEXT = 4_000;
  private static final long OVERHEAD = 400;

  /** A fire without a report. */
  static FireRun of(FireKey fire, Optional<String> backfill) {
    return new FireRun(
        fire,
        backfill,
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The same with the time of the fire. */
  FireRun fired(Instant at) {
    return new FireRun(
        fire,
        backfill,
        Optional.of(at),
        state,
        attempts,
        startedAt,
        endedAt,
        reportedAt,
        worker,
        reason,
        error,
        output,
        retryAt);
  }

  /**
   * Whether a report counts after what is known of a fire. The first end is final, so that a fire
   * that is delivered again changes nothing, but a success is one, whenever it comes.
   */
  public static boolean counts(Optional<OutcomeState> known, OutcomeState reported) {
    return known.isEmpty()
        || known.get() == OutcomeState.STARTED
        || (known.get() != OutcomeState.SUCCEEDED && reported == OutcomeState.SUCCEEDED);
  }

  /**
   * The same after a later report, if that {@link #counts}, if the fire waited for a retry, or if a
   * failed fire is tried again.
   */
  FireRun reported(Outcome outcome, Instant at) {
    boolean isTriedAgain = hasFailed() && outcome.getAttempt() > attempts;
    if (retryAt.isEmpty() && !isTriedAgain && !counts(state, outcome.getState())) {
      return this;
    }
    return new FireRun(
        fire,
        backfill,
        firedAt,
        Optional.of(outcome.getState()),
        Math.max(attempts, outcome.getAttempt()),
        Optional.ofNullable(outcome.getStartedAt()).or(() -> startedAt),
        Optional.ofNullable(outcome.getEndedAt()),
        Optional.of(at),
        text(outcome.getWorker()).or(() -> worker),
        text(outcome.getReason()),
        text(outcome.getError()),
        text(outcome.getOutput()),
        Optional.ofNullable(outcome.getRetryAt()));
  }

  private static Optional<String> text(@Nullable String text) {
    return Optional.ofNullable(text).map(all -> SafeText.cut(all, LONGEST_TEXT));
  }

  public String scheduleId() {
    return fire.schedule().value();
  }

  /** False while it runs, and while it waits for a retry. */
  public boolean hasEnded() {
    return retryAt.isEmpty() && state.filter(known -> known != OutcomeState.STARTED).isPresent();
  }

  /** True after a failure, whether or not it waits for a retry. */
  public boolean hasFailed() {
    return state.filter(OutcomeState.FAILED::equals).isPresent();
  }

  /** How long the latest attempt took; empty if its start or its end is unknown. */
  public Optional<Duration> duration() {
    return startedAt.flatMap(start -> endedAt.map(end -> Duration.between(start, end)));
  }

  /** Why it failed, was given up or dropped. */
  public Optional<String> why() {
    return error.or(() -> reason);
  }

  /** About how much memory it takes. */
  long bytes() {
    return OVERHEAD
        + fire.text().length()
        + length(backfill)
        + length(worker)
        + length(reason)
        + length(error)
        + length(output);
  }

  private static long length(Optional<String> text) {
    return text.map(String::length).orElse(0);
  }
}
