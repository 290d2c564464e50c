package io.waterclock.topology.scheduler.model;

import java.time.Instant;

/**
 * A backfill command's range of decided occurrences, which fire again.
 *
 * @param from inclusive
 * @param to exclusive: the commanded end, limited to the occurrences decided by then
 * @param firedThrough inclusive: every occurrence of the range up to this instant has fired; before
 *     {@code from} when none has
 * @param fired the number of fires so far
 */
public record Backfill(
    String commandId, Instant from, Instant to, Instant firedThrough, long fired) {

  public Backfill through(Instant at, long more) {
    return new Backfill(commandId, from, to, at, fired + more);
  }
}
