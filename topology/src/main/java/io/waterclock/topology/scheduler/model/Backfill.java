package io.waterclock.topology.scheduler.model;

import java.time.Instant;

/**
 * Decided occurrences that are fired again because a command has ordered it.
 *
 * @param from inclusive
 * @param to exclusive: as ordered, cut to what was decided by then
 * @param firedThrough inclusive: every occurrence of the range up to this instant is done; before
 *     {@code from} when none is
 * @param fired how many were fired
 */
public record Backfill(
    String commandId, Instant from, Instant to, Instant firedThrough, long fired) {

  public Backfill through(Instant at, long more) {
    return new Backfill(commandId, from, to, at, fired + more);
  }
}
