package io.waterclock.connect.rows;

import java.time.Instant;
import java.util.Optional;

/**
 * What a source tells of a row.
 *
 * @param key its primary key, where the source tells it
 * @param before as it was, where the source tells it
 * @param after as it is now; empty for a delete
 * @param at when it was changed, or read for a snapshot, by the clock of the database or else of
 *     the source
 */
public record RowChange(
    Kind kind, Optional<Row> key, Optional<Row> before, Optional<Row> after, Instant at) {

  /** The same at another time. */
  public RowChange made(Instant when) {
    return new RowChange(kind, key, before, after, when);
  }

  /** The same of a row that was there before under another key. */
  public RowChange found() {
    return new RowChange(Kind.FOUND, key, before, after, at);
  }

  /** What has happened to a row. */
  public enum Kind {
    /** It was there when the source began, or the source does not say what has happened to it. */
    FOUND,
    INSERTED,
    UPDATED,
    DELETED
  }
}
