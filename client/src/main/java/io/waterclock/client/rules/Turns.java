package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The runs of a worker from start to end: which fire is next, whether the worker still runs it,
 * when its timeout ends, and what the worker does after a failure. The worker calls all its rules
 * through these methods.
 *
 * <p>Not thread-safe: guarded by the lock of its buffer.
 *
 * @param <A> the type of the object that the worker attaches to a fire
 */
public final class Turns<A> {
  /** The ids of the fires that this worker has run. */
  public interface Claims {
    /**
     * Claims a fire. Must not block.
     *
     * @return true for the first claim of an id; false if the fire is claimed already
     */
    boolean claim(String fireId);

    /** Gives up a claim, because the fire did not run to its end. */
    void release(String fireId);
  }

  private final FireBuffer<A> buffer;
  private final Claims claims;
  private final Function<String, Optional<LastStart>> lastStarts;
  private final Duration patience;
  private final RandomGenerator random;
  private final RetryLines<A> lines;
  private final TreeSet<BufferedFire<A>> alarms =
      new TreeSet<>(
          Comparator.comparing((BufferedFire<A> work) -> work.alarm().orElseThrow())
              .thenComparingLong(BufferedFire::sequence));

  /**
   * @param lastStarts the last start of a schedule; empty if the worker does not know it
   * @param patience how long a cancelled handler may take to end before it is abandoned
   */
  public Turns(
      FireBuffer<A> buffer,
      Claims claims,
      Function<String, Optional<LastStart>> lastStarts,
      Duration patience,
      RandomGenerator random) {
    this(buffer, claims, lastStarts, patience, random, RetryLines.inProcess());
  }

  /**
   * @param lastStarts the last start of a schedule; empty if the worker does not know it
   * @param patience how long a cancelled handler may take to end before it is abandoned
   * @param lines of schedules whose fires keep their order while one waits for a retry
   */
  public Turns(
      FireBuffer<A> buffer,
      Claims claims,
      Function<String, Optional<LastStart>> lastStarts,
      Duration patience,
      RandomGenerator random,
      RetryLines.Memory<A> lines) {
    this.lines = new RetryLines<>(lines);
    this.buffer = buffer;
    this.claims = claims;
    this.lastStarts = lastStarts;
    this.patience = patience;
    this.random = random;
  }

  /**
   * The next fire to handle. The caller reports how the turn ended, with {@link #done} or {@link
   * #failed}.
   */
  public Optional<Turn<A>> next(Instant now) {
    return buffer.take(now).map(work -> begin(work, now));
  }

  private Turn<A> begin(BufferedFire<A> work, Instant now) {
    Fire fire = work.fire();
    if (work.attemptOfRun() > 0) {
      if (isTimedOut(work, now)) {
        return new Turn.Late<>(work);
      }
      work.nextAttempt();
      watch(work);
      return new Turn.Run<>(work, false);
    }
    if (!claims.claim(fire.getFireId())) {
      return new Turn.Drop<>(work, DropReason.DUPLICATE, "a worker has run it already");
    }
    boolean isReturn = work.past().isReturn();
    Optional<LastStart> last =
        isReturn
            ? Optional.empty()
            : work.policy().tolerance().flatMap(any -> lastStarts.apply(fire.getScheduleId()));
    StartRule.Verdict verdict = StartRule.judge(fire, work.policy(), last, now);
    if (verdict instanceof StartRule.Verdict.Drop drop) {
      release(work);
      return new Turn.Drop<>(work, drop.reason(), drop.text());
    }
    RetryLines.Place place =
        work.policy().retry().isInOrder() ? lines.place(work, now) : RetryLines.Place.RUN;
    if (place != RetryLines.Place.RUN) {
      release(work);
      return new Turn.Join<>(
          work,
          place == RetryLines.Place.JOIN ? Optional.of(lines.join(work, now)) : Optional.empty());
    }
    work.start(now, ((StartRule.Verdict.Run) verdict).deadline());
    work.nextAttempt();
    watch(work);
    return new Turn.Run<>(work, !isReturn && StartRule.counts(fire));
  }

  /** The fire was dropped or has succeeded: its lane continues with the next fire. */
  public void done(BufferedFire<A> work) {
    if (!work.isEnded()) {
      lines.ended(work);
      joined(work);
    }
  }

  /** The fire has joined the line of its schedule: its lane continues with the next fire. */
  public void joined(BufferedFire<A> work) {
    if (!work.isEnded()) {
      unwatch(work);
      buffer.end(work);
    }
  }

  /**
   * Records a failed attempt.
   *
   * @param isFinal true if the handler asks for no further attempt
   * @return empty if the worker has abandoned the attempt
   */
  public Optional<RetryDecision> failed(BufferedFire<A> work, boolean isFinal, Instant now) {
    if (work.isEnded()) {
      return Optional.empty();
    }
    unwatch(work);
    RetryDecision decision = decide(work, isFinal, now);
    if (decision instanceof RetryDecision.Again again) {
      buffer.again(work, again.at());
    } else {
      release(work);
      if (decision instanceof RetryDecision.HandedBack) {
        buffer.handBack(work);
      } else {
        follow(work, decision);
        buffer.end(work);
      }
    }
    return Optional.of(decision);
  }

  private void follow(BufferedFire<A> work, RetryDecision decision) {
    if (!(decision instanceof RetryDecision.Wait wait)) {
      lines.ended(work);
    } else if (work.policy().retry().isInOrder()) {
      lines.failed(work, wait.at());
    }
  }

  /** A fire that has failed does not wait, although it was to: its wait cannot be written. */
  public void doesNotWait(BufferedFire<A> work) {
    if (work.policy().retry().isInOrder()) {
      lines.ended(work);
    }
  }

  private RetryDecision decide(BufferedFire<A> work, boolean isFinal, Instant now) {
    if (!work.source().startsAt(now)) {
      return new RetryDecision.HandedBack();
    }
    // the clock may have gone back since the run was cancelled at its deadline
    if (work.isCancelled() || isTimedOut(work, now)) {
      return ended(work, RetryDecision.Failed.TIMED_OUT, now);
    }
    if (isFinal) {
      return RetryDecision.Failed.GIVEN_UP;
    }
    if (work.attemptOfRun() >= work.policy().maxAttempts()) {
      return ended(work, RetryDecision.Failed.ATTEMPTS_EXHAUSTED, now);
    }
    Instant at = now.plus(work.policy().backoffAfter(work.attemptOfRun(), random));
    if (isTimedOut(work, at)) {
      return ended(work, RetryDecision.Failed.TIMED_OUT, now);
    }
    return work.source().startsAt(at)
        ? new RetryDecision.Again(at)
        : new RetryDecision.HandedBack();
  }

  /**
   * The run has failed. The fire does not wait for a run that could not start before it expires.
   */
  private RetryDecision ended(BufferedFire<A> work, RetryDecision.Failed reason, Instant now) {
    RunPolicy policy = work.policy();
    Optional<Instant> expiry = policy.expires().map(work.fire().getFiredAt()::plus);
    return policy
        .retry()
        .next(work.past().waits(), random)
        .map(now::plus)
        .filter(at -> expiry.isEmpty() || at.isBefore(expiry.get()))
        .<RetryDecision>map(at -> new RetryDecision.Wait(at, reason))
        .orElse(reason);
  }

  private boolean isTimedOut(BufferedFire<A> work, Instant at) {
    return work.deadline().filter(end -> !at.isBefore(end)).isPresent();
  }

  /**
   * Begins to hand a partition back.
   *
   * @param until when the worker closes the partition
   * @return the partition's fires that run or will still run
   */
  public List<BufferedFire<A>> drain(AssignedPartition source, Instant until) {
    return released(buffer.drain(source, until));
  }

  /**
   * Hands a partition back.
   *
   * @return the partition's fires that still run
   */
  public List<BufferedFire<A>> close(AssignedPartition source) {
    return released(buffer.close(source));
  }

  private List<BufferedFire<A>> released(FireBuffer.InHand<A> inHand) {
    inHand.begun().forEach(this::release);
    return inHand.running();
  }

  private void release(BufferedFire<A> work) {
    claims.release(work.fire().getFireId());
  }

  /** The earliest instant at which {@link #overdue} returns a run. */
  public Optional<Instant> nextAlarm() {
    return alarms.isEmpty() ? Optional.empty() : alarms.first().alarm();
  }

  /**
   * Runs that have passed their deadline. A run that does not end is returned twice: first to be
   * cancelled, with {@link BufferedFire#isCancelled} just set; then, after the patience, to be
   * abandoned.
   */
  public List<Overdue<A>> overdue(Instant now) {
    List<Overdue<A>> overdue = new ArrayList<>();
    while (!alarms.isEmpty() && !alarms.first().alarm().orElseThrow().isAfter(now)) {
      BufferedFire<A> work = alarms.first();
      unwatch(work);
      if (work.isCancelled()) {
        overdue.add(new Overdue<>(work, true));
      } else {
        cancel(work, now);
        overdue.add(new Overdue<>(work, false));
      }
    }
    return overdue;
  }

  /**
   * A run that has passed its deadline.
   *
   * @param isAbandoned true if the worker cancelled it earlier and it has not ended since
   */
  public record Overdue<A>(BufferedFire<A> work, boolean isAbandoned) {}

  /** Cancels a run of a closed partition before its deadline. */
  public void cancel(BufferedFire<A> work, Instant now) {
    unwatch(work);
    work.cancel();
    work.alarmAt(Optional.of(now.plus(patience)));
    alarms.add(work);
  }

  private void watch(BufferedFire<A> work) {
    if (work.deadline().isPresent()) {
      work.alarmAt(work.deadline());
      alarms.add(work);
    }
  }

  private void unwatch(BufferedFire<A> work) {
    if (work.alarm().isPresent()) {
      alarms.remove(work);
      work.alarmAt(Optional.empty());
    }
  }
}
