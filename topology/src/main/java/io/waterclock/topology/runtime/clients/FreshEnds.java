package io.waterclock.topology.runtime.clients;

import io.waterclock.topology.scheduler.context.Gate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Says whether a task has read its input up to where it ended a moment ago, and has gone on reading
 * since.
 *
 * <p>Idea: to read up to an end takes time, and meanwhile people delete and pause. So when an end
 * is reached that was learned longer ago than {@link #FRESH}, the ends are asked for again; each
 * round has less to read than the one before. From then on the task keeps up by itself, until its
 * thread is held up, which the {@link StallDetector} tells: then the rounds begin anew.
 *
 * <p>A partition into which more is written than can be read would never get there. After {@link
 * #PATIENCE} it counts as read, as its lag is the one that it has at any other time. The same holds
 * for a thread that is held up in each of its rounds, on a machine with far too much to do: an end
 * that it asked for in the round before would be of no use to it, for ever. After {@link #PATIENCE}
 * such an end will do, if it was asked for at most {@link #STARVED} ago. Used by one thread.
 */
public final class FreshEnds {
  /** An end that was learned longer ago is asked for again. */
  public static final Duration FRESH = Duration.ofMillis(500);

  /** For how long it asks again after the first end was reached. */
  public static final Duration PATIENCE = Duration.ofSeconds(15);

  /** How old an end may be, from its question, for a thread that is held up again and again. */
  public static final Duration STARVED = Duration.ofSeconds(5);

  /** Where an input ended when it was asked for. */
  public interface End extends Gate.Mark {
    /** When the answer came, in monotonic time; asked for once the end is passed. */
    long learnedAtNanos();
  }

  /**
   * Ends that were asked for together.
   *
   * @param stalls that the pulse had told by then
   */
  private record Round(List<End> ends, long stalls, long askedAtNanos) {
    boolean isPassed() {
      return ends.stream().allMatch(Gate.Mark::isPassed);
    }

    /** For how long the oldest of them is known. */
    long age(long nowNanos) {
      return ends.stream().mapToLong(end -> nowNanos - end.learnedAtNanos()).max().orElse(0);
    }
  }

  private final Supplier<List<End>> ask;
  private final LongSupplier nanos;
  private final StallDetector pulse;
  private Optional<Round> round = Optional.empty();
  private Optional<Long> firstPassedAtNanos = Optional.empty();
  private boolean reached;
  private boolean lagging;

  /**
   * @param ask asks for the ends that the inputs have now, without waiting for the answer
   * @param nanos monotonic time in nanoseconds
   * @param pulse of the thread that reads
   */
  public FreshEnds(Supplier<List<End>> ask, LongSupplier nanos, StallDetector pulse) {
    this.ask = ask;
    this.nanos = nanos;
    this.pulse = pulse;
  }

  /** To be asked before anything is decided. */
  public boolean areReached() {
    pulse.beat();
    long now = nanos.getAsLong();
    if (round.filter(current -> current.stalls() == pulse.stalls()).isEmpty()) {
      reached = round.filter(before -> isPassedByStarved(before, now)).isPresent();
      begin(now);
    }
    if (!reached && round.orElseThrow().isPassed()) {
      passed(now);
    }
    return reached;
  }

  /** Judges the round before a stall: of use only to a thread that is held up in each round. */
  private boolean isPassedByStarved(Round before, long now) {
    if (!before.isPassed() || now - before.askedAtNanos() > STARVED.toNanos()) {
      return false;
    }
    firstPassedAtNanos = firstPassedAtNanos.or(() -> Optional.of(now));
    lagging = lagging || now - firstPassedAtNanos.get() > PATIENCE.toNanos();
    return lagging;
  }

  /** True when the ends count as reached only because more is written than can be read. */
  public boolean areLagging() {
    return reached && lagging;
  }

  private void passed(long now) {
    boolean fresh = round.orElseThrow().age(now) <= FRESH.toNanos();
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
    round = Optional.of(new Round(ask.get(), pulse.stalls(), now));
  }
}
