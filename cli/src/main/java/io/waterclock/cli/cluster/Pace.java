package io.waterclock.cli.cluster;

import java.time.Duration;

/**
 * How fast many records are written.
 *
 * @param perSecond the most records a second; infinite for no limit
 * @param timeout the longest wait for an answer after the previous one
 */
public record Pace(double perSecond, Duration timeout) {

  /** As fast as the brokers allow. */
  public static Pace unlimited(Duration timeout) {
    return new Pace(Double.POSITIVE_INFINITY, timeout);
  }

  /** When the record with this number, from 0, may be written: nanoseconds after the first one. */
  long nanos(int number) {
    return (long) (number * 1e9 / perSecond);
  }
}
