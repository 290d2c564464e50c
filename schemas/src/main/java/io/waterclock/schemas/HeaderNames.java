package io.waterclock.schemas;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The names of record headers, and the values that never vary. Values are UTF-8. */
public final class HeaderNames {
  /** CloudEvents attributes of a fire (Kafka protocol binding, binary mode). */
  public static final String CE_SPECVERSION = "ce_specversion";

  /** The fire id. */
  public static final String CE_ID = "ce_id";

  /** {@link Topics#ceSource}. */
  public static final String CE_SOURCE = "ce_source";

  /** {@link #FIRE_TYPE}. */
  public static final String CE_TYPE = "ce_type";

  /** The schedule id. */
  public static final String CE_SUBJECT = "ce_subject";

  /** The occurrence, ISO-8601 UTC. */
  public static final String CE_TIME = "ce_time";

  /** The media type of the record's value. */
  public static final String CONTENT_TYPE = "content-type";

  /** The value of {@link #CE_SPECVERSION}. */
  public static final String SPECVERSION = "1.0";

  /** The value of {@link #CE_TYPE}. */
  public static final String FIRE_TYPE = "io.waterclock.fire.v1";

  /** On a fire: why it was emitted, as {@link io.waterclock.schemas.avro.Cause} names it. */
  public static final String CAUSE = "waterclock-cause";

  /** On a fire: when it was due, ISO-8601 UTC. */
  public static final String DUE = "waterclock-due";

  /** On a fire: the type of its schedule; absent if it has none. */
  public static final String TYPE = "waterclock-type";

  /** On a fire: for how many other occurrences it stands; absent if for none. */
  public static final String COLLAPSED = "waterclock-collapsed";

  /** On a fire: the revision of its schedule, topic-partition@offset. */
  public static final String SCHEDULE_REVISION = "waterclock-schedule-revision";

  /** On a fire: the beginning of the name of each header of its schedule. */
  public static final String SCHEDULE_HEADER = "schedule-";

  /**
   * On a fire: the topic that its schedule has named as its target. On a record of the topic later:
   * the topic in which it is to arrive.
   */
  public static final String TARGET = "waterclock-target";

  /** On a record of the topic waiting: the group of a limit. */
  public static final String LIMIT = "waterclock-limit";

  /**
   * On a record of the topic waiting: what it says, and what the limiter needs to know. On a record
   * of the outcomes without a value: what the limiter has done with a fire.
   */
  public static final String WAITING = "waterclock-waiting";

  /** On a record at a target, or on a note of the limiter: the key of the fire. */
  public static final String FIRE_KEY = "waterclock-fire-key";

  /**
   * On a record of the topic later: when it is to arrive, as ISO-8601 with an offset or as epoch
   * milliseconds.
   */
  public static final String AT = "waterclock-at";

  /** On a record of the topic later: how long after its timestamp it is to arrive. */
  public static final String IN = "waterclock-in";

  /**
   * On a record of the topic later: its name, a schedule id, by which it can be moved or cancelled.
   * On a delivered record: the same, or the name that it was given.
   */
  public static final String ID = "waterclock-id";

  /** On a record of the topic later: the partition of its target, as decimal digits. */
  public static final String PARTITION = "waterclock-partition";

  /** On a record of the topic later: with the value true, what waits under its id is cancelled. */
  public static final String CANCEL = "waterclock-cancel";

  /**
   * On a record that waits for a retry, or returns from it: the consumer group that retries it,
   * which others ignore. On a dead letter of a consumer group: that group.
   */
  public static final String GROUP = "waterclock-group";

  /**
   * On a record that waits for a retry, or returns from it: the topic of its return. In any other
   * topic, to which a program may have copied the headers, {@link #GROUP} means nothing.
   */
  public static final String RETURNS_TO = "waterclock-returns-to";

  /**
   * On a record that waits for a retry, or returns from it: how often it has waited, from 1, as
   * decimal digits.
   */
  public static final String RETRIES = "waterclock-retries";

  /**
   * On a fire that waits for a retry, or returns from it: the number of its last attempt, from 1,
   * as decimal digits.
   */
  public static final String ATTEMPTS = "waterclock-attempts";

  /** On a request: ask for an answer, whose key will be this value. */
  public static final String CORRELATION_ID = "waterclock-correlation-id";

  /**
   * On a request: the partition of the answers topic, as decimal digits, to which the answer goes.
   */
  public static final String ANSWER_PARTITION = "waterclock-answer-partition";

  /** On a record in an input topic: the scheduler wrote it, so no client requested it. */
  public static final String ORIGIN = "waterclock-origin";

  /**
   * On a record of the schedules or the outcomes topic: the scheduler moved it from another
   * partition to the partition of its key. The value is the position at which it was produced, as
   * topic-partition@offset.
   */
  public static final String STRAY = "waterclock-stray";

  /**
   * On a moved record whose timestamp was ahead of the clock of its new task: the original
   * timestamp in epoch milliseconds. The record itself has the time of the move as its timestamp.
   */
  public static final String STAMPED = "waterclock-stamped";

  /**
   * On a tombstone of the schedules topic: nothing was deleted; the scheduler moved the record at
   * this topic-partition@offset to the partition of its key.
   */
  public static final String MOVED = "waterclock-moved";

  /**
   * On a record of the schedules topic: the progress of the schedule in the exporting scheduler, as
   * an {@link io.waterclock.schemas.avro.ExportedState}. A schedule that does not exist starts with
   * this progress. For an existing schedule the header has no effect.
   */
  public static final String IMPORT = "waterclock-import";

  /**
   * On a definition or its tombstone: who writes it, at most 255 characters. It shows in the
   * revision; the scheduler believes it as it is.
   */
  public static final String AUTHOR = "waterclock-author";

  /** On a definition or its tombstone: why it is written, at most 1,000 characters. */
  public static final String NOTE = "waterclock-note";

  /** On a dead letter, or a record that waits for a retry: what was wrong. */
  public static final String ERROR = "waterclock-error";

  /** On a dead letter: the topic in which it was found. */
  public static final String ORIGIN_TOPIC = "waterclock-origin-topic";

  /** On a dead letter: the partition of the original record, as decimal digits. */
  public static final String ORIGIN_PARTITION = "waterclock-origin-partition";

  /** On a dead letter: the offset of the original record, as decimal digits. */
  public static final String ORIGIN_OFFSET = "waterclock-origin-offset";

  /** On a dead letter: the timestamp of the original record, in epoch milliseconds. */
  public static final String ORIGIN_TIMESTAMP = "waterclock-origin-timestamp";

  /** On a dead letter that is not the whole record: {@link #TRUE}. */
  public static final String CUT = "waterclock-cut";

  /** On a record that was a dead letter: how often it was sent again, as decimal digits. */
  public static final String REDRIVEN = "waterclock-redriven";

  /** On a fire that someone has had run again, without a dead letter: when, ISO-8601 UTC. */
  public static final String RERUN = "waterclock-rerun";

  /**
   * On a record of the dead-letter topic that is no dead letter: what became of one in the same
   * partition, {@code redriven} or {@code discarded}.
   */
  public static final String RESOLVED = "waterclock-resolved";

  /** On the same record: the offset of that dead letter, as decimal digits. */
  public static final String RESOLVES = "waterclock-resolves";

  /** The value of a header that is there or not. */
  public static final String TRUE = "true";

  private HeaderNames() {}

  /** About how many bytes headers take: the characters of their names, and their values. */
  public static long bytes(Headers headers) {
    long bytes = 0;
    for (Header header : headers) {
      bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return bytes;
  }

  /** The last header of a name; empty for one without a value, too. */
  public static Optional<String> text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
  }
}
