package io.waterclock.decide.model;

import java.time.Instant;

/**
 * When a record was written, which orders the records of a schedule, in any order of reading.
 *
 * @param at its timestamp, at most the time at which it was read
 * @param record topic-partition@offset; empty when unknown
 */
public record Written(Instant at, String record) {

  /**
   * True for a later timestamp or, in one partition, the same timestamp and a later offset. Of two
   * records with the same timestamp in different partitions, neither is after the other.
   */
  public boolean isAfter(Written other) {
    if (!at.equals(other.at)) {
      return at.isAfter(other.at);
    }
    int offset = record.indexOf('@') + 1;
    return offset > 0
        && other.record.startsWith(record.substring(0, offset))
        && offset(record, offset) > offset(other.record, offset);
  }

  private static long offset(String record, int begin) {
    return Long.parseLong(record.substring(begin));
  }
}
