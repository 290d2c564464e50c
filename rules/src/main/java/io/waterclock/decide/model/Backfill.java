package io.waterclock.decide.model;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * A backfill command's range of decided occurrences, which fire again.
 *
 * @param from inclusive
 * @param to exclusive: the commanded end, limited to the occurrences decided by then
 * @param firedThrough inclusive: every occurrence of the range up to this instant has fired; before
 *     {@code from} when none has
 * @param fired the number of fires so far
 * @param under the number of the revision that was in force at the command, if another has replaced
 *     it: the backfill fires by that one
 */
public record Backfill(
    String commandId,
    Instant from,
    Instant to,
    Instant firedThrough,
    long fired,
    OptionalLong under) {

  /** A backfill by the revision in force. */
  public Backfill(String commandId, Instant from, Instant to, Instant firedThrough, long fired) {
    this(commandId, from, to, firedThrough, fired, OptionalLong.empty());
  }

  public Backfill through(Instant at, long more) {
    return new Backfill(commandId, from, to, at, fired + more, under);
  }

  /** The same by another revision. */
  public Backfill under(OptionalLong replaced) {
    return new Backfill(commandId, from, to, firedThrough, fired, replaced);
  }
}
