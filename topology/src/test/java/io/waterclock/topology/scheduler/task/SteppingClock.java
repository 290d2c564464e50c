package io.waterclock.topology.scheduler.task;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A wall clock that steps away from the right time between any two looks at it. */
final class SteppingClock implements InstantSource {
  private final InstantSource time;
  private Duration off = Duration.ZERO;
  private Duration offAfterStep = Duration.ZERO;
  private int looksUntilStep = Integer.MAX_VALUE;
  private int looksUntilRight = Integer.MAX_VALUE;
  private int steps;

  /**
   * @param time the right one
   */
  SteppingClock(InstantSource time) {
    this.time = time;
  }

  @Override
  public Instant instant() {
    if (looksUntilStep-- == 0) {
      off = offAfterStep;
      steps++;
    } else if (looksUntilStep < 0 && looksUntilRight-- == 0) {
      off = Duration.ZERO;
    }
    return time.instant().plus(off);
  }

  /**
   * Steps by itself.
   *
   * @param looks how often it is still looked at before
   * @param stays how many more looks find it wrong before it is right again
   */
  void stepAfter(int looks, Duration by, int stays) {
    looksUntilStep = looks;
    offAfterStep = by;
    looksUntilRight = stays;
  }

  /** Is right from now on. */
  void setRight() {
    off = Duration.ZERO;
    looksUntilStep = Integer.MAX_VALUE;
    looksUntilRight = Integer.MAX_VALUE;
  }

  /** How often it has stepped away. */
  int steps() {
    return steps;
  }
}
