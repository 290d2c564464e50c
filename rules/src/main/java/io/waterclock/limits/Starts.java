package io.waterclock.limits;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What runs of one group, and when its latest fires started. Takes memory for each run that is
 * bounded, of which each bound allows {@link LimitRules#MAX_RUNNING} at most, and for each start of
 * the last period of its rate. Not thread-safe.
 */
public final class Starts {
  private final Map<String, Run> running = new HashMap<>();
  private final TreeMap<Integer, Integer> byPriority = new TreeMap<>();
  private final TreeSet<Run> byEnd =
      new TreeSet<>(Comparator.comparing(Run::until).thenComparing(Run::fireKey));
  private final Deque<Instant> latest = new ArrayDeque<>();
  private Instant exhausted = Instant.MIN;

  /**
   * A fire that counts as running.
   *
   * @param until exclusive: when it no longer counts, if its end is not reported before
   * @param timeout how long it may take from its latest start on
   */
  public record Run(String fireKey, int priority, Instant until, Duration timeout) {
    private Run endingAt(Instant end) {
      return new Run(fireKey, priority, end, timeout);
    }
  }

  public int running() {
    return running.size();
  }

  /**
   * How many fires of a lane may start now.
   *
   * @return 0 or more; {@link GroupLimit#ANY} without a bound
   */
  public int room(GroupLimit limit, GroupLimit.Lane lane, Instant now) {
    if (limit.isClosed(now)) {
      return 0;
    }
    int room = Math.min(left(limit.maxRunning(), running.size()), left(lane));
    return limit.rate().map(rate -> Math.min(room, left(rate, now))).orElse(room);
  }

  private static int left(int most, int taken) {
    return most == GroupLimit.ANY ? GroupLimit.ANY : Math.max(0, most - taken);
  }

  private int left(GroupLimit.Lane lane) {
    int taken =
        lane.maxRunning() == GroupLimit.ANY
            ? 0
            : byPriority.subMap(lane.from(), true, lane.through(), true).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    return left(lane.maxRunning(), taken);
  }

  private int left(GroupLimit.Rate rate, Instant now) {
    Instant since = now.minus(rate.period());
    while (!latest.isEmpty() && !latest.peekFirst().isAfter(since)) {
      latest.removeFirst();
    }
    return exhausted.isAfter(since) ? 0 : Math.max(0, rate.starts() - latest.size());
  }

  /** A fire has started. Of a lane in which nothing bounds what runs, only the instant is kept. */
  public void started(GroupLimit limit, GroupLimit.Lane lane, Run run, Instant now) {
    if (limit.rate().isPresent()) {
      latest.addLast(now);
    }
    if (limit.counts(lane)) {
      restored(run);
    }
  }

  /** A fire that started earlier, as it was kept. */
  public void restored(Run run) {
    ended(run.fireKey());
    running.put(run.fireKey(), run);
    byEnd.add(run);
    byPriority.merge(run.priority(), 1, Integer::sum);
  }

  /** A worker has started a run, so its time begins again; empty if that changes nothing. */
  public Optional<Run> begun(String fireKey, Instant at) {
    Optional<Run> longer =
        Optional.ofNullable(running.get(fireKey))
            .filter(run -> at.plus(run.timeout()).isAfter(run.until()))
            .map(run -> run.endingAt(at.plus(run.timeout())));
    longer.ifPresent(this::restored);
    return longer;
  }

  /**
   * The clock was set back: what seems to have started later starts now, so that nothing counts for
   * longer than the clock was wrong.
   */
  public void setBack(Instant now) {
    int ahead = 0;
    while (!latest.isEmpty() && latest.peekLast().isAfter(now)) {
      latest.removeLast();
      ahead++;
    }
    for (int i = 0; i < ahead; i++) {
      latest.addLast(now);
    }
    if (exhausted.isAfter(now)) {
      exhausted = now;
    }
    List.copyOf(running.values()).stream()
        .filter(run -> run.until().isAfter(now.plus(run.timeout())))
        .forEach(run -> restored(run.endingAt(now.plus(run.timeout()))));
  }

  /** As if every rate were used up at an instant: what started before is not known any more. */
  public void exhausted(Instant at) {
    exhausted = at;
  }

  /** A fire has ended, or is withdrawn; false if it did not count. */
  public boolean ended(String fireKey) {
    Run run = running.remove(fireKey);
    if (run == null) {
      return false;
    }
    byEnd.remove(run);
    byPriority.computeIfPresent(run.priority(), (key, count) -> count == 1 ? null : count - 1);
    return true;
  }

  /** Removes and returns a run whose time is up; empty if there is none. */
  public Optional<Run> timedOut(Instant now) {
    if (byEnd.isEmpty() || byEnd.first().until().isAfter(now)) {
      return Optional.empty();
    }
    Run first = byEnd.first();
    ended(first.fireKey());
    return Optional.of(first);
  }
}
