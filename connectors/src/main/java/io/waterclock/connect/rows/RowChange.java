package io.waterclock.connect.rows;

import java.time.Instant;
import java.util.Optional;

/**
 * A source's report of one row or of one change of it.
 *
 * @param key the record's key; empty if the source sends none
 * @param before the row before the change; empty if the source does not send it
 * @param after the row after the change; empty for a delete
 * @param at when the row changed or a snapshot read it, by the clock of the database or of the
 *     source
 */
public record RowChange(
    Kind kind, Optional<Row> key, Optional<Row> before, Optional<Row> after, Instant at) {

  /** A copy with another time. */
  public RowChange made(Instant when) {
    return new RowChange(kind, key, before, after, when);
  }

  /** A copy for a row that existed before under another key. */
  public RowChange found() {
    return new RowChange(Kind.FOUND, key, before, after, at);
  }

  public enum Kind {
    /**
     * The row existed when the source started, or the source does not report the kind of change.
     */
    FOUND,
    INSERTED,
    UPDATED,
    DELETED
  }
}
