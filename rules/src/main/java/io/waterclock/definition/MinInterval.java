package io.waterclock.definition;

import java.time.Duration;
import java.util.Optional;

/**
 * The shortest interval that schedules may have.
 *
 * @param atLeast inclusive
 * @param owner the owner of the schedules; empty for all
 */
public record MinInterval(Duration atLeast, Optional<String> owner) {

  /** A valid interval. */
  String example() {
    return atLeast.compareTo(Duration.ofMinutes(1)) <= 0 ? "1m" : atLeast.toString();
  }

  /** The problem of a shorter interval. */
  String problem() {
    return "is shorter than the shortest interval allowed"
        + owner.map(name -> " to " + name + " (owner.limits, min.interval)").orElse("")
        + ", "
        + atLeast;
  }
}
