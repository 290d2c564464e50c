package io.waterclock.bench.chaos.plan;

import io.waterclock.bench.run.BadOptionException;
import java.time.Duration;
import java.util.Locale;

/**
 * A fault to come.
 *
 * @param number from 1
 * @param at since the start of the faults
 * @param target from 1: which scheduler or broker
 * @param variant a number that chooses what the kind leaves open, 0 to 999
 */
public record PlannedFault(
    int number, Duration at, FaultKind kind, int target, Duration duration, int variant) {

  static PlannedFault parse(String line) {
    String[] words = line.strip().split("\\s+");
    try {
      return new PlannedFault(
          Integer.parseInt(words[0]),
          seconds(words[1]),
          FaultKind.valueOf(words[2]),
          Integer.parseInt(words[3]),
          seconds(words[4]),
          Integer.parseInt(words[5]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new BadOptionException(
          "\"" + line + "\" is no fault; one is \"7 31.250 KILL 1 2.500 0\"");
    }
  }

  /** What it hits, by name: at most one fault at a time hits a victim. All brokers are one. */
  public String victim() {
    return kind.target() == FaultKind.Target.SCHEDULER ? "s" + target : kind.target().toString();
  }

  private static Duration seconds(String text) {
    return Duration.ofMillis(Math.round(Double.parseDouble(text) * 1_000));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d %.3f %s %d %.3f %d",
        number,
        at.toMillis() / 1e3,
        kind,
        target,
        duration.toMillis() / 1e3,
        variant);
  }
}
