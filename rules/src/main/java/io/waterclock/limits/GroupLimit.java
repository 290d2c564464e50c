package io.waterclock.limits;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitLane;
import io.waterclock.schemas.avro.LimitPause;
import io.waterclock.schemas.avro.LimitWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The limit of a group, ready to be asked. Immutable.
 *
 * <p><b>Idea.</b> A fire starts when all of four agree: the group is open, fewer than {@code
 * max_running} run, its lane has room, and fewer than {@code per_second} have started within the
 * last second. Lanes are ranges of priorities, from the most urgent on; a lane bounds only its own
 * fires, so what the lanes leave of {@code max_running} is for those before them.
 *
 * @param maxRunning how many may run at a time; {@link #ANY} without a bound
 * @param rate how many may start in a period
 * @param lanes in the order of their priorities
 * @param timeout how long a run counts that has no time-out of its own
 */
public record GroupLimit(
    int maxRunning,
    Optional<Rate> rate,
    List<Lane> lanes,
    Optional<LimitPause> pause,
    List<Window> closed,
    Duration timeout) {
  public static final int ANY = Integer.MAX_VALUE;

  private static final Lane ALL = new Lane(Integer.MIN_VALUE, Integer.MAX_VALUE, ANY);

  /** Of a group of which nothing is said: every fire starts at once. */
  public static final GroupLimit NONE =
      new GroupLimit(
          ANY, Optional.empty(), List.of(ALL), Optional.empty(), List.of(), Duration.ofHours(1));

  /**
   * At most {@code starts} in each {@code period}, wherever it begins.
   *
   * @param starts at least 1
   */
  public record Rate(int starts, Duration period) {
    static Rate of(int perSecond) {
      return new Rate(perSecond, Duration.ofSeconds(1));
    }
  }

  /**
   * Fires with priorities of a range.
   *
   * @param from inclusive
   * @param through inclusive
   */
  public record Lane(int from, int through, int maxRunning) {}

  /** From each occurrence of a cron expression, so long. */
  public record Window(Cron begins, Duration lasts) {
    /**
     * @throws InvalidTriggerException if the expression or the zone is wrong
     */
    static Window of(LimitWindow window) {
      ZoneId zone =
          window.getTimezone() == null ? ZoneOffset.UTC : Zones.parse(window.getTimezone());
      return new Window(
          Cron.parse(window.getCron(), zone), Duration.ofMillis(window.getDurationMs()));
    }

    boolean contains(Instant now) {
      return begins.nthAfter(now.minus(lasts), 1).filter(begin -> !begin.isAfter(now)).isPresent();
    }
  }

  public GroupLimit {
    lanes = List.copyOf(lanes);
    closed = List.copyOf(closed);
  }

  /**
   * @param limit without {@link LimitRules#problems}
   */
  public static GroupLimit of(Limit limit) {
    List<LimitLane> sorted =
        limit.getLanes().stream()
            .sorted(Comparator.comparingInt(LimitLane::getFromPriority))
            .toList();
    List<Lane> lanes = new ArrayList<>();
    if (sorted.isEmpty() || sorted.get(0).getFromPriority() > Integer.MIN_VALUE) {
      int through = sorted.isEmpty() ? Integer.MAX_VALUE : sorted.get(0).getFromPriority() - 1;
      lanes.add(new Lane(Integer.MIN_VALUE, through, ANY));
    }
    for (int i = 0; i < sorted.size(); i++) {
      int through =
          i + 1 == sorted.size() ? Integer.MAX_VALUE : sorted.get(i + 1).getFromPriority() - 1;
      lanes.add(new Lane(sorted.get(i).getFromPriority(), through, sorted.get(i).getMaxRunning()));
    }
    return new GroupLimit(
        limit.getMaxRunning() == null ? ANY : limit.getMaxRunning(),
        Optional.ofNullable(limit.getPerSecond()).map(Rate::of),
        lanes,
        Optional.ofNullable(limit.getPaused()),
        limit.getClosed().stream().map(Window::of).toList(),
        Duration.ofMillis(limit.getTimeoutMs()));
  }

  /** Whether nothing may start now: a person or a window has closed it. */
  public boolean isClosed(Instant now) {
    return pause.filter(by -> by.getUntil() == null || now.isBefore(by.getUntil())).isPresent()
        || closed.stream().anyMatch(window -> window.contains(now));
  }

  /** Whether a bound concerns how many fires of a lane run. */
  public boolean counts(Lane lane) {
    return maxRunning < ANY || lane.maxRunning() < ANY;
  }
}
