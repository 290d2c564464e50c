package io.waterclock.topology.scheduler.guard;

import io.waterclock.topology.scheduler.context.Gate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Decides whether a task has read its input up to a recent end, and keeps up since then.
 *
 * <p>Idea: while a task reads up to an end, users delete and pause schedules. So if the task passes
 * an end that is older than {@link #FRESH}, it asks for the ends again; each round has less to read
 * than the one before. After the last round the task keeps up by itself. When the {@link
 * StallDetector} reports a stall of its thread, the rounds begin again.
 *
 * <p>A partition that receives records faster than the task reads them would never pass. After
 * {@link #PATIENCE} it counts as read, with the consumer lag that it always has. The same holds for
 * a thread that stalls in every round, on an overloaded machine: each stall would discard the ends
 * of its last round, for ever. After {@link #PATIENCE} the ends of a round before a stall count, if
 * they were asked for at most {@link #OLDEST} ago. For one thread.
 */
public final class FreshEnds {
  /** The task asks again for ends that it learned longer ago. */
  public static final Duration FRESH = Duration.ofMillis(500);

  /** How long the task asks again after it has passed the first end. */
  public static final Duration PATIENCE = Duration.ofSeconds(15);

  /**
   * The largest age of an end, from its request: for a thread that stalls in every round, and for
   * an answer that took long, since the brokers may have looked at the end when they were asked.
   */
  public static final Duration OLDEST = Duration.ofSeconds(5);

  /** The end of an input at the time of the request. */
  public interface End extends Gate.Mark {
    /** When the answer came, in monotonic time; only for an end that is passed. */
    long learnedAtNanos();
  }

  /**
   * Ends of one request.
   *
   * @param stalls the number of stalls at the request
   */
  private record Round(List<End> ends, long stalls, long askedAtNanos) {
    boolean isPassed() {
      return ends.stream().allMatch(Gate.Mark::isPassed);
    }

    boolean isOld(long nowNanos) {
      return nowNanos - askedAtNanos > OLDEST.toNanos();
    }

    /** The age of the oldest answer. */
    long age(long nowNanos) {
      return ends.stream().mapToLong(end -> nowNanos - end.learnedAtNanos()).max().orElse(0);
    }
  }

  private final Supplier<List<End>> ask;
  private final LongSupplier nanos;
  private final StallDetector stallDetector;
  private Optional<Round> round = Optional.empty();
  private Optional<Long> firstPassedAtNanos = Optional.empty();
  private boolean reached;
  private boolean lagging;

  /**
   * @param ask requests the current ends of the inputs, without waiting for the answer
   * @param nanos monotonic time in nanoseconds
   * @param stallDetector of the reading thread
   */
  public FreshEnds(Supplier<List<End>> ask, LongSupplier nanos, StallDetector stallDetector) {
    this.ask = ask;
    this.nanos = nanos;
    this.stallDetector = stallDetector;
  }

  /** The task asks this before it decides. */
  public boolean areReached() {
    stallDetector.beat();
    long now = nanos.getAsLong();
    if (round.filter(current -> current.stalls() == stallDetector.stalls()).isEmpty()) {
      reached = round.filter(before -> isPassedByStarved(before, now)).isPresent();
      begin(now);
    }
    if (!reached && round.orElseThrow().isPassed()) {
      passed(now);
    }
    return reached;
  }

  /** Asks for the ends once more: they are reached when the new ones are. */
  public void askAgain() {
    reached = false;
    begin(nanos.getAsLong());
  }

  /** Judges the round before a stall; it counts only for a thread that stalls in every round. */
  private boolean isPassedByStarved(Round before, long now) {
    if (!before.isPassed() || before.isOld(now)) {
      return false;
    }
    firstPassedAtNanos = firstPassedAtNanos.or(() -> Optional.of(now));
    lagging = lagging || now - firstPassedAtNanos.get() > PATIENCE.toNanos();
    return lagging;
  }

  /** True when the ends count as reached only because records arrive faster than the task reads. */
  public boolean areLagging() {
    return reached && lagging;
  }

  private void passed(long now) {
    Round current = round.orElseThrow();
    boolean fresh = current.age(now) <= FRESH.toNanos() && !current.isOld(now);
    lagging = !fresh && now - firstPassedAtNanos.orElse(now) > PATIENCE.toNanos();
    if (fresh || lagging) {
      reached = true;
      firstPassedAtNanos = Optional.empty();
      return;
    }
    firstPassedAtNanos = firstPassedAtNanos.or(() -> Optional.of(now));
    begin(now);
    reached = round.orElseThrow().isPassed();
  }

  private void begin(long now) {
    round = Optional.of(new Round(ask.get(), stallDetector.stalls(), now));
  }
}
