package io.waterclock.client.retry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.rules.PastAttempts;
import io.waterclock.schemas.HeaderNames;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The headers of a record that waits for a retry: which group tries it again, how often it has
 * tried, and why that failed. They are the last ones of the record; all others stay as they are.
 */
public final class RetryHeaders {
  /** The beginning of the names under which records wait for a retry. */
  public static final String ID_PREFIX = "retries/";

  private static final Set<String> OWN =
      Set.of(
          HeaderNames.GROUP,
          HeaderNames.RETURNS_TO,
          HeaderNames.RETRIES,
          HeaderNames.ATTEMPTS,
          HeaderNames.ERROR);

  /** Of a record for the scheduler, which would answer what was not asked. */
  private static final Set<String> ASKING =
      Set.of(HeaderNames.CORRELATION_ID, HeaderNames.ANSWER_PARTITION);

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern NOT_IN_IDS = Pattern.compile("[^A-Za-z0-9._~:/@-]");
  private static final int MAX_GROUP = 128;
  private static final int MAX_ERROR = 2 * 1024;

  private RetryHeaders() {}

  /**
   * The headers of a record that is to wait.
   *
   * @param from those of the record; if it has waited before, the ones of then are left out
   * @param returnTo the topic to which the record returns
   * @param past what the group has done about it by now
   * @param error cut after 2 KiB
   */
  public static Headers waiting(
      Headers from, String returnTo, String group, PastAttempts past, String error) {
    RecordHeaders headers = foreign(from);
    ASKING.forEach(headers::remove);
    add(headers, HeaderNames.GROUP, group);
    add(headers, HeaderNames.RETURNS_TO, returnTo);
    add(headers, HeaderNames.RETRIES, Integer.toString(past.waits()));
    add(headers, HeaderNames.ATTEMPTS, Integer.toString(past.attempts()));
    addError(headers, error);
    return headers;
  }

  private static void addError(Headers headers, String error) {
    add(headers, HeaderNames.ERROR, FailureText.cut(error, MAX_ERROR));
  }

  /**
   * The headers of a dead letter: those of the record as it was received, and then the reason, the
   * place of the record, and the group that gave up.
   *
   * @param error cut after 2 KiB
   */
  public static Headers dead(ConsumerRecord<?, ?> from, String group, String error) {
    RecordHeaders headers = new RecordHeaders(from.headers().toArray());
    addError(headers, error);
    add(headers, HeaderNames.ORIGIN_TOPIC, from.topic());
    add(headers, HeaderNames.ORIGIN_PARTITION, Integer.toString(from.partition()));
    add(headers, HeaderNames.ORIGIN_OFFSET, Long.toString(from.offset()));
    add(headers, HeaderNames.ORIGIN_TIMESTAMP, Long.toString(from.timestamp()));
    add(headers, HeaderNames.GROUP, group);
    return headers;
  }

  /** Without the last header of each name of ours, if the record has waited before. */
  private static RecordHeaders foreign(Headers from) {
    if (HeaderNames.text(from, HeaderNames.GROUP).isEmpty()) {
      return new RecordHeaders(from);
    }
    Header[] all = from.toArray();
    Set<String> left = new HashSet<>(OWN);
    RecordHeaders reversed = new RecordHeaders();
    for (int i = all.length - 1; i >= 0; i--) {
      if (!left.remove(all[i].key())) {
        reversed.add(all[i]);
      }
    }
    RecordHeaders headers = new RecordHeaders();
    Header[] kept = reversed.toArray();
    for (int i = kept.length - 1; i >= 0; i--) {
      headers.add(kept[i]);
    }
    return headers;
  }

  /**
   * The group that retries the record; empty for a record that has not waited, or that has headers
   * of another one, which has returned to another topic.
   */
  public static Optional<String> group(ConsumerRecord<?, ?> record) {
    return HeaderNames.text(record.headers(), HeaderNames.RETURNS_TO)
            .filter(record.topic()::equals)
            .isPresent()
        ? HeaderNames.text(record.headers(), HeaderNames.GROUP)
        : Optional.empty();
  }

  /** What the group has done about the record before; nothing if the headers do not say it. */
  public static PastAttempts past(ConsumerRecord<?, ?> record) {
    return group(record).isEmpty()
        ? PastAttempts.NONE
        : PastAttempts.of(
            number(record.headers(), HeaderNames.RETRIES),
            number(record.headers(), HeaderNames.ATTEMPTS));
  }

  /**
   * The name under which a record waits: {@code retries/<group>/<UUID>}. The same record has the
   * same name each time that the same retry is written, so it waits once at a time.
   *
   * @param record what tells the retry from all others of the group
   */
  public static String id(String group, String record) {
    String shown = NOT_IN_IDS.matcher(group).replaceAll("_");
    return ID_PREFIX
        + shown.substring(0, Math.min(shown.length(), MAX_GROUP))
        + "/"
        + UUID.nameUUIDFromBytes((group + "|" + record).getBytes(UTF_8));
  }

  private static int number(Headers headers, String name) {
    return HeaderNames.text(headers, name)
        .filter(text -> NUMBER.matcher(text).matches())
        .map(Integer::valueOf)
        .orElse(0);
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(UTF_8));
  }
}
