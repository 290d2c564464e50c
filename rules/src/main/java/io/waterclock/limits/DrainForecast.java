package io.waterclock.limits;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a limit makes of fires that come: when they wait, and when the last one that waits has
 * started. Pure.
 *
 * <p><b>Idea.</b> It plays the time second by second, but for the seconds in which nothing can
 * change. In each, as many fires start as {@code per_second} allows and as there is room for in
 * {@code max_running}; each takes its room for as long as a run usually takes. Pauses and windows
 * let nothing start. All fires of a minute come at its beginning, so waits that end within their
 * minute look like those of an even load and are left out. Lanes are not looked at: a fire that a
 * lane holds back lets others pass, which changes the order and not the number, unless all that
 * come are in that lane: then they drain later.
 *
 * <p><b>Cost.</b> Some ten nanoseconds a second of a limit that is used up all the time: 50 ms for
 * a week.
 */
public final class DrainForecast {
  private static final int MINUTE = 60;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * Time in which fires wait.
   *
   * @param from when the first one came
   * @param to when the last one has started; empty if that is after all that is played
   * @param most how many wait at a time
   */
  public record Queue(Instant from, Optional<Instant> to, long most) {}

  /**
   * What is known of a group.
   *
   * @param waiting how many fires wait at the beginning
   * @param running how many run at the beginning; each runs on for half of a usual run
   * @param run how long a run usually takes; empty if that is unknown, so that {@code max_running}
   *     holds nothing back
   */
  public record State(long waiting, long running, Optional<Duration> run) {}

  private final GroupLimit limit;
  private final Instant from;
  private final List<Long> minutes;
  private final List<ClosedTimes.Span> closed;
  private final Optional<Instant> pausedUntil;

  /** How long a run takes its room, in seconds; empty if nothing takes room. */
  private final Optional<Long> runSeconds;

  /** How many may start in one second. */
  private final long mostAtOnce;

  /** How many runs end in a second. */
  private final TreeMap<Long, Long> ends = new TreeMap<>();

  private final List<Queue> queues = new ArrayList<>();
  private long waiting;
  private long running;

  private DrainForecast(GroupLimit limit, State state, Instant from, List<Long> minutes) {
    this.limit = limit;
    this.from = from;
    this.minutes = minutes;
    this.closed =
        ClosedTimes.between(limit, from, from.plusSeconds((long) MINUTE * minutes.size()));
    this.pausedUntil =
        limit.pause().map(pause -> Optional.ofNullable(pause.getUntil()).orElse(Instant.MAX));
    Optional<Duration> run = state.run().filter(known -> limit.maxRunning() < GroupLimit.ANY);
    Optional<Duration> brief = run.filter(known -> known.compareTo(SECOND) < 0);
    this.runSeconds = brief.isPresent() ? Optional.empty() : run.map(DrainForecast::wholeSeconds);
    long byRuns =
        brief
            .map(known -> limit.maxRunning() * SECOND.toMillis() / Math.max(1, known.toMillis()))
            .orElse(Long.MAX_VALUE);
    this.mostAtOnce =
        limit
            .rate()
            .map(rate -> Math.min(byRuns, rate.starts() / rate.period().toSeconds()))
            .orElse(byRuns);
    this.waiting = state.waiting();
    runSeconds.ifPresent(
        seconds -> {
          running = state.running();
          ends.put(Math.max(1, seconds / 2), running);
        });
  }

  private static long wholeSeconds(Duration run) {
    return run.plus(SECOND).minusMillis(1).toSeconds();
  }

  /**
   * Plays the time.
   *
   * @param from the beginning of the first minute
   * @param minutes how many fires come in each minute
   * @return in the order of time
   */
  public static List<Queue> of(GroupLimit limit, State state, Instant from, List<Long> minutes) {
    DrainForecast drain = new DrainForecast(limit, state, from, minutes);
    drain.play();
    return List.copyOf(drain.queues);
  }

  private void play() {
    long end = (long) MINUTE * minutes.size();
    Optional<Long> since = Optional.empty();
    long most = 0;
    int closing = 0;
    for (long second = 0; second < end; second = next(second)) {
      if (second % MINUTE == 0) {
        waiting += minutes.get((int) (second / MINUTE));
      }
      free(second);
      Instant now = from.plusSeconds(second);
      while (closing < closed.size() && !now.isBefore(closed.get(closing).to())) {
        closing++;
      }
      boolean isClosed = closing < closed.size() && closed.get(closing).contains(now);
      if (waiting > 0 && since.isEmpty()) {
        since = Optional.of(second);
        most = 0;
      }
      most = Math.max(most, waiting);
      if (!isClosed && pausedUntil.filter(now::isBefore).isEmpty()) {
        start(second);
      }
      if (waiting == 0 && since.isPresent()) {
        if (second - since.get() >= MINUTE) {
          queues.add(new Queue(from.plusSeconds(since.get()), Optional.of(now), most));
        }
        since = Optional.empty();
      }
    }
    if (since.isPresent()) {
      queues.add(new Queue(from.plusSeconds(since.get()), Optional.empty(), most));
    }
  }

  private void free(long second) {
    while (!ends.isEmpty() && ends.firstKey() <= second) {
      running -= ends.pollFirstEntry().getValue();
    }
  }

  private void start(long second) {
    long room = runSeconds.isEmpty() ? mostAtOnce : Math.max(0, limit.maxRunning() - running);
    long started = Math.min(waiting, Math.min(mostAtOnce, room));
    waiting -= started;
    if (runSeconds.isPresent() && started > 0) {
      running += started;
      ends.merge(second + runSeconds.get(), started, Long::sum);
    }
  }

  /** The next second in which something may change. */
  private long next(long second) {
    long minute = (second / MINUTE + 1) * MINUTE;
    if (waiting == 0) {
      return minute;
    }
    boolean isFull = running >= limit.maxRunning();
    return isFull ? Math.min(minute, Math.max(second + 1, ends.firstKey())) : second + 1;
  }
}
