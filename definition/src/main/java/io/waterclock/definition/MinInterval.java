package io.waterclock.definition;

import java.time.Duration;
import java.util.Optional;

/**
 * The shortest interval that schedules may have.
 *
 * @param atLeast inclusive
 * @param owner whose schedules; empty: all
 */
public record MinInterval(Duration atLeast, Optional<String> owner) {

  /** One that is right. */
  String example() {
    return atLeast.compareTo(Duration.ofMinutes(1)) <= 0 ? "1m" : atLeast.toString();
  }

  /** What is wrong with a shorter one. */
  String problem() {
    return "is shorter than the shortest interval allowed"
        + owner.map(name -> " to " + name + " (owner.limits, min.interval)").orElse("")
        + ", "
        + atLeast;
  }
}
