package io.waterclock.client.rules;

import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How long a record waits before each retry, in Kafka and not in a process. After the last wait it
 * is a dead letter.
 *
 * <p>A wait is up to a tenth longer than the plan says, so that what failed together does not
 * return together.
 *
 * <p>Worked example, of the standard plan 1m, 10m, 1h, 6h: a run that has failed is repeated after
 * 1 minute. If that run fails as well, the next follows 10 minutes later, so an outage of ten
 * minutes costs no dead letter. A record whose fifth run fails, more than seven hours after the
 * first one, is a dead letter.
 *
 * @param after the waits, in their order; more than zero each, at most {@link #MOST}
 * @param isInOrder whether later fires of the schedule wait behind one that waits, see {@link
 *     RetryLines}; only fires of a worker with order do
 */
public record RetryPlan(List<Duration> after, boolean isInOrder) {
  /** The most waits of a plan. */
  public static final int MOST = 100;

  private static final RetryPlan STANDARD = parse("1m, 10m, 1h, 6h");
  private static final RetryPlan NONE = new RetryPlan(List.of(), false);
  private static final int TENTH = 10;

  /**
   * @throws IllegalArgumentException if there are too many waits, or one is not more than zero
   */
  public RetryPlan {
    after = List.copyOf(after);
    if (after.size() > MOST) {
      throw new IllegalArgumentException(
          "a retry plan has at most %s waits, this one %s".formatted(MOST, after.size()));
    }
    for (Duration wait : after) {
      if (wait.compareTo(Duration.ofMillis(1)) < 0) {
        throw new IllegalArgumentException(
            "a wait before a retry is a millisecond or more, for example 10m; this one is " + wait);
      }
    }
  }

  /** 1m, 10m, 1h, 6h. */
  public static RetryPlan standard() {
    return STANDARD;
  }

  /** No wait: what has failed is a dead letter at once. */
  public static RetryPlan none() {
    return NONE;
  }

  /**
   * The plan with these waits.
   *
   * @throws IllegalArgumentException as the constructor
   */
  public static RetryPlan of(Duration... after) {
    return of(List.of(after));
  }

  /** The same. */
  public static RetryPlan of(List<Duration> after) {
    return new RetryPlan(after, false);
  }

  /**
   * Reads a plan: durations with commas between them, such as {@code 1m, 10m, 1h, 6h}; an empty
   * text is {@link #none}.
   *
   * @throws InvalidValueException if one is no duration
   * @throws IllegalArgumentException as the constructor
   */
  public static RetryPlan parse(String text) {
    return text.isBlank()
        ? none()
        : new RetryPlan(
            Arrays.stream(text.split(",", -1)).map(String::strip).map(Durations::parse).toList(),
            false);
  }

  /**
   * The same waits, in order: while a fire waits, the later fires of its schedule wait behind it,
   * and run after it.
   */
  public RetryPlan inOrder() {
    return new RetryPlan(after, true);
  }

  /**
   * The next wait.
   *
   * @param waits how often the record has waited
   * @return empty: it is a dead letter
   */
  public Optional<Duration> next(int waits, RandomGenerator random) {
    if (waits >= after.size()) {
      return Optional.empty();
    }
    Duration wait = after.get(waits);
    long tenthMs = wait.toMillis() / TENTH;
    return Optional.of(tenthMs == 0 ? wait : wait.plusMillis(random.nextLong(tenthMs + 1)));
  }
}
