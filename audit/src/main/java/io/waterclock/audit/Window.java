package io.waterclock.audit;

import java.time.Instant;

/**
 * The time in which all outcomes of occurrences are known.
 *
 * @param after exclusive: nothing written later was lost to retention
 * @param through inclusive: everything due up to here is decided, as the watermark of the
 *     schedule's partition says
 */
public record Window(Instant after, Instant through) {

  /** The intersection. */
  public Window and(Window other) {
    return new Window(
        after.isAfter(other.after) ? after : other.after,
        through.isBefore(other.through) ? through : other.through);
  }
}
