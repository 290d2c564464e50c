package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.waterclock.console.limits.LimitNow;
import io.waterclock.limits.DrainForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How many occurrences are due in each minute of a range to come.
 *
 * @param from the beginning of the first minute
 * @param schedules how many active schedules it counts
 * @param isEstimate true if some of them were counted by a sample
 * @param groups the load of each group, the fullest first; none if nothing groups
 */
public record LoadAhead(
    Instant from,
    List<Long> minutes,
    long schedules,
    @JsonProperty("estimate") boolean isEstimate,
    List<Group> groups) {
  public static final Duration RANGE = Duration.ofDays(7);

  static final int MINUTES = (int) RANGE.toMinutes();

  public record Minute(Instant at, long occurrences) {}

  /**
   * The load of the schedules that have one thing in common.
   *
   * @param name empty for those that have it not
   * @param fullest the occurrences of its fullest minute
   * @param limited what their limit makes of it, if that is what they have in common
   * @param minutes by minute, until it is known what their limit makes of them
   */
  public record Group(
      String name,
      long schedules,
      long occurrences,
      long fullest,
      Optional<Limited> limited,
      @JsonIgnore List<Long> minutes) {
    /** Without its minutes, which are not asked for any more. */
    private Group limited(Optional<Limited> by) {
      return new Group(name, schedules, occurrences, fullest, by, List.of());
    }
  }

  /**
   * What a limit makes of the load.
   *
   * @param queues when fires wait for more than a minute, in the order of time; the first ones
   * @param longest the one in which most wait
   * @param count how many there are
   * @param runMs how long a run usually takes; empty if no run is known, so that {@code
   *     max_running} does not count
   */
  public record Limited(
      List<DrainForecast.Queue> queues,
      Optional<DrainForecast.Queue> longest,
      long count,
      Optional<Long> runMs) {
    private static final int MOST = 20;

    private static Limited of(LimitNow limit, Instant from, List<Long> minutes) {
      List<DrainForecast.Queue> all = DrainForecast.of(limit.rules(), limit.state(), from, minutes);
      return new Limited(
          all.stream().limit(MOST).toList(),
          all.stream().max(Comparator.comparingLong(DrainForecast.Queue::most)),
          all.size(),
          limit.state().run().map(Duration::toMillis));
    }
  }

  public LoadAhead {
    minutes = List.copyOf(minutes);
    groups = List.copyOf(groups);
  }

  /** The same, with what limits make of the load of their groups. */
  LoadAhead limited(Map<String, LimitNow> limits) {
    return new LoadAhead(
        from,
        minutes,
        schedules,
        isEstimate,
        groups.stream()
            .map(
                group ->
                    group.limited(
                        Optional.ofNullable(limits.get(group.name()))
                            .map(limit -> Limited.of(limit, from, group.minutes()))))
            .toList());
  }

  /**
   * How many occurrences are due in a minute; empty outside of the range.
   *
   * @param minute its beginning
   */
  public Optional<Long> at(Instant minute) {
    long index = Duration.between(from, minute).toMinutes();
    return minute.isBefore(from) || index >= minutes.size()
        ? Optional.empty()
        : Optional.of(minutes.get((int) index));
  }

  @JsonProperty
  public long total() {
    return minutes.stream().mapToLong(Long::longValue).sum();
  }

  /** The minutes with the most occurrences, the fullest first, earlier ones before later ones. */
  public List<Minute> fullest(int most) {
    List<Integer> indexes =
        new ArrayList<>(
            IntStream.range(0, minutes.size()).filter(i -> minutes.get(i) > 0).boxed().toList());
    indexes.sort(Comparator.comparing((Integer i) -> minutes.get(i)).reversed());
    return indexes.stream()
        .limit(most)
        .map(i -> new Minute(from.plus(Duration.ofMinutes(i)), minutes.get(i)))
        .toList();
  }
}
