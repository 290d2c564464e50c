package io.waterclock.occurrences;

/**
 * How far a search may still go, in elements looked at. What takes more is given up, so that no
 * rule that somebody writes down takes longer than some milliseconds to be accepted or refused.
 */
final class Effort {
  /** About five milliseconds. */
  private static final long MOST = 20_000;

  private long left;

  private Effort(long left) {
    this.left = left;
  }

  static Effort bounded() {
    return new Effort(MOST);
  }

  static Effort unlimited() {
    return new Effort(Long.MAX_VALUE);
  }

  void spend(long elements) {
    left -= elements;
  }

  /** What a search says after this is no answer. */
  boolean isSpent() {
    return left < 0;
  }
}
