package io.waterclock.schemas.text;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Optional;

/**
 * Instants as ISO-8601 UTC text with milliseconds, always: {@code 2026-11-21T10:00:00.000Z}.
 *
 * <p>Every fire needs a fire key, so this class writes the years 0000 to 9999 without allocation:
 * the date comes from the day count by the civil calendar arithmetic of Howard Hinnant
 * ("chrono-compatible low-level date algorithms"), which counts years from 1 March so that the leap
 * day is the last of a year. Other years go through {@link DateTimeFormatter} and are longer.
 */
public final class IsoInstant {
  /** The number of bytes of every instant in the years 0000 to 9999. */
  static final int LENGTH = 24;

  private static final long FIRST_MS = -62_167_219_200_000L;
  private static final long LAST_MS = 253_402_300_799_999L;
  private static final long DAY_MS = 86_400_000L;
  private static final int DAYS_PER_ERA = 146_097;
  private static final int DAYS_TO_1970 = 719_468;
  private static final DateTimeFormatter ANY_YEAR =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private IsoInstant() {}

  /** How many bytes an instant takes. */
  public static int length(long epochMs) {
    return isFast(epochMs) ? LENGTH : anyYear(epochMs).length;
  }

  /** Any instant, as ASCII. */
  public static byte[] bytes(long epochMs) {
    byte[] text = new byte[length(epochMs)];
    write(epochMs, text, 0);
    return text;
  }

  /** Writes {@link #length} bytes of ASCII. */
  public static void write(long epochMs, byte[] to, int offset) {
    if (!isFast(epochMs)) {
      byte[] text = anyYear(epochMs);
      System.arraycopy(text, 0, to, offset, text.length);
      return;
    }
    long day = Math.floorDiv(epochMs, DAY_MS);
    int msOfDay = (int) (epochMs - day * DAY_MS);
    writeDate((int) day + DAYS_TO_1970, to, offset);
    to[offset + 10] = 'T';
    two(msOfDay / 3_600_000, to, offset + 11);
    to[offset + 13] = ':';
    two(msOfDay / 60_000 % 60, to, offset + 14);
    to[offset + 16] = ':';
    two(msOfDay / 1_000 % 60, to, offset + 17);
    to[offset + 19] = '.';
    int ms = msOfDay % 1_000;
    to[offset + 20] = (byte) ('0' + ms / 100);
    two(ms % 100, to, offset + 21);
    to[offset + 23] = 'Z';
  }

  /** Reads what {@link #write} writes; empty for any other text. */
  public static Optional<Instant> parse(String text) {
    try {
      long epochMs = text.length() == LENGTH ? read(text) : Instant.parse(text).toEpochMilli();
      return text.equals(new String(bytes(epochMs), StandardCharsets.US_ASCII))
          ? Optional.of(Instant.ofEpochMilli(epochMs))
          : Optional.empty();
    } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** Looks at the digits alone. */
  private static long read(String text) {
    long day = LocalDate.of(at(text, 0, 4), at(text, 5, 7), at(text, 8, 10)).toEpochDay();
    int seconds = (at(text, 11, 13) * 60 + at(text, 14, 16)) * 60 + at(text, 17, 19);
    return day * DAY_MS + seconds * 1_000L + at(text, 20, 23);
  }

  private static int at(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  private static boolean isFast(long epochMs) {
    return epochMs >= FIRST_MS && epochMs <= LAST_MS;
  }

  private static byte[] anyYear(long epochMs) {
    return ANY_YEAR.format(Instant.ofEpochMilli(epochMs)).getBytes(StandardCharsets.US_ASCII);
  }

  /** The days count from 1 March of the year 0. */
  private static void writeDate(int days, byte[] to, int offset) {
    int era = Math.floorDiv(days, DAYS_PER_ERA);
    int dayOfEra = days - era * DAYS_PER_ERA;
    int yearOfEra =
        (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / (DAYS_PER_ERA - 1)) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int monthFromMarch = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
    int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
    int year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    two(year / 100, to, offset);
    two(year % 100, to, offset + 2);
    to[offset + 4] = '-';
    two(month, to, offset + 5);
    to[offset + 7] = '-';
    two(day, to, offset + 8);
  }

  private static void two(int value, byte[] to, int offset) {
    to[offset] = (byte) ('0' + value / 10);
    to[offset + 1] = (byte) ('0' + value % 10);
  }
}
