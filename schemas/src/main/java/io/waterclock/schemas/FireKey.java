package io.waterclock.schemas;

import io.waterclock.schemas.text.IsoInstant;
import io.waterclock.schemas.text.Quoted;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * The key of a fire: {@code <schedule id>|<occurrence>}, followed by {@code |<command id>} if a
 * command requested the fire. The occurrence is ISO-8601 UTC with milliseconds, always: {@code
 * reports/daily|2026-11-21T10:00:00.000Z}.
 *
 * @param occurrence with millisecond precision
 * @param commandId 1 to 255 characters, no control characters
 */
public record FireKey(ScheduleId schedule, Instant occurrence, Optional<String> commandId) {
  /** The most characters of a command id. */
  public static final int MAX_COMMAND_ID = 255;

  private static final byte[] NO_TAIL = {};
  private static final String RULE =
      "a fire key is <schedule id>|<occurrence>, with |<command id> after it for a command's fire, for example"
          + " \"reports/daily|2026-11-21T10:00:00.000Z\"";

  /**
   * @throws InvalidIdException if the occurrence is finer than a millisecond or beyond the range of
   *     milliseconds in a long, or if the command id breaks its rule
   */
  public FireKey {
    if (!isWholeMs(occurrence)) {
      throw new InvalidIdException(
          "occurrence " + occurrence + " is not a whole number of milliseconds");
    }
    commandId.ifPresent(FireKey::checkCommandId);
  }

  /** The key of the fire for an occurrence of the schedule's trigger. */
  public static FireKey of(ScheduleId schedule, Instant occurrence) {
    return new FireKey(schedule, occurrence, Optional.empty());
  }

  /** Reads what {@link #text} writes, and nothing else. */
  public static FireKey parse(String text) {
    int first = text.indexOf('|');
    if (first < 0) {
      throw new InvalidIdException("fire key " + Quoted.of(text) + " has no '|'; " + RULE);
    }
    int second = text.indexOf('|', first + 1);
    String occurrence = second < 0 ? text.substring(first + 1) : text.substring(first + 1, second);
    return new FireKey(
        ScheduleId.parse(text.substring(0, first)),
        parseOccurrence(occurrence),
        second < 0 ? Optional.empty() : Optional.of(text.substring(second + 1)));
  }

  /**
   * Checks an id that can end a fire key: 1 to 255 characters, no control characters.
   *
   * @throws InvalidIdException if it breaks that rule
   */
  public static void checkCommandId(String id) {
    if (id.isEmpty()
        || id.length() > MAX_COMMAND_ID
        || id.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidIdException(
          "command id "
              + Quoted.of(id)
              + " must have 1 to 255 characters and no control characters, for example"
              + " \"6f1c2f0e-7d0b-4b0a-9d51-1f0c8f6f2b11\"");
    }
  }

  /** The key as text. Costs about as much as copying it. */
  public String text() {
    byte[] bytes = bytes();
    return new String(
        bytes, commandId.isEmpty() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  /** The key as UTF-8, ready to be produced; a new array for each call. */
  public byte[] bytes() {
    long occurrenceMs = occurrence.toEpochMilli();
    byte[] id = schedule.utf8();
    byte[] tail = commandId.map(c -> ("|" + c).getBytes(StandardCharsets.UTF_8)).orElse(NO_TAIL);
    int instantLength = IsoInstant.length(occurrenceMs);
    byte[] key = Arrays.copyOf(id, id.length + 1 + instantLength + tail.length);
    key[id.length] = '|';
    IsoInstant.write(occurrenceMs, key, id.length + 1);
    System.arraycopy(tail, 0, key, key.length - tail.length, tail.length);
    return key;
  }

  /** The occurrence as the key writes it, in UTF-8: the value of {@link HeaderNames#CE_TIME}. */
  public byte[] occurrenceBytes() {
    return IsoInstant.bytes(occurrence.toEpochMilli());
  }

  @Override
  public String toString() {
    return text();
  }

  private static boolean isWholeMs(Instant instant) {
    try {
      return Instant.ofEpochMilli(instant.toEpochMilli()).equals(instant);
    } catch (ArithmeticException beyondLong) {
      return false;
    }
  }

  private static Instant parseOccurrence(String text) {
    return IsoInstant.parse(text)
        .orElseThrow(
            () ->
                new InvalidIdException(
                    "occurrence %s is not an ISO-8601 UTC instant with milliseconds; %s"
                        .formatted(Quoted.of(text), RULE)));
  }
}
