package io.waterclock.bench.load;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The work of every contender: schedules that are first due evenly over a span of time, or all at
 * one instant.
 *
 * @param phase four letters that begin their ids
 * @param count how many schedules
 * @param start when the first is due
 * @param spread over how long the others follow; zero for all at once
 * @param interval after which each is due again; empty when it is due once
 */
public record Work(
    String phase, int count, Instant start, Duration spread, Optional<Duration> interval) {
  private static final String ONCE = "once";

  /**
   * When a schedule is due first: rounded down to a millisecond.
   *
   * @param number from 0 to the count, exclusive
   */
  public Instant due(int number) {
    return start.plusMillis(number * spread.toMillis() / count);
  }

  public boolean isHerd() {
    return spread.isZero();
  }

  /** For the command line of another process; {@link #parse} reads it. */
  public String words() {
    return String.join(
        " ",
        phase,
        Integer.toString(count),
        start.toString(),
        spread.toString(),
        interval.map(Duration::toString).orElse(ONCE));
  }

  /** Reads what {@link #words} has written, split at blanks. */
  public static Work parse(List<String> words) {
    String interval = words.get(4);
    return new Work(
        words.get(0),
        Integer.parseInt(words.get(1)),
        Instant.parse(words.get(2)),
        Duration.parse(words.get(3)),
        interval.equals(ONCE) ? Optional.empty() : Optional.of(Duration.parse(interval)));
  }
}
