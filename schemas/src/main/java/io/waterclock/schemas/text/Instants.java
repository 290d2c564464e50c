package io.waterclock.schemas.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;
import java.util.function.Function;

/** Reads, writes and compares instants, and reads time zones. */
public final class Instants {
  private static final String EXAMPLE = "2026-12-24T18:00:00Z";

  private Instants() {}

  /**
   * Reads an ISO-8601 time with an offset, or without one in the given zone: a local time in a gap
   * is the gap's end, one in an overlap its first pass. Fractions finer than a millisecond are cut
   * off.
   *
   * @throws InvalidValueException if the text is none, or does not fit milliseconds in a long
   */
  public static Instant parse(String text, ZoneId zone) {
    Comparable<?> time = instantOrLocal(text);
    return time instanceof LocalDateTime local ? whole(resolve(local, zone), text) : (Instant) time;
  }

  /**
   * Reads an ISO-8601 time: an {@link Instant} if it has an offset, otherwise a {@link
   * LocalDateTime}. Fractions finer than a millisecond are cut off.
   *
   * @throws InvalidValueException as {@link #parse}
   */
  public static Comparable<?> instantOrLocal(String text) {
    String trimmed = text.strip();
    Optional<OffsetDateTime> time = attempt(OffsetDateTime::parse, trimmed);
    if (time.isPresent()) {
      return whole(time.get().toInstant(), text);
    }
    LocalDateTime local =
        local(trimmed)
            .orElseThrow(
                () ->
                    new InvalidValueException(
                        Quoted.of(text) + " is not an ISO-8601 date and time", EXAMPLE));
    return LocalDateTime.ofInstant(whole(local.toInstant(ZoneOffset.UTC), text), ZoneOffset.UTC);
  }

  private static Instant whole(Instant instant, String text) {
    try {
      return Instant.ofEpochMilli(instant.toEpochMilli());
    } catch (ArithmeticException e) {
      throw new InvalidValueException(Quoted.of(text) + " is too far away", EXAMPLE);
    }
  }

  /**
   * The change of clocks that skips, or shows twice, the local time that the text names in the
   * zone. Empty for a time with an offset, for most local times, and for text that is no time.
   */
  public static Optional<ZoneOffsetTransition> changeAt(String text, ZoneId zone) {
    return local(text.strip()).map(time -> zone.getRules().getTransition(time));
  }

  /**
   * Reads an IANA zone or an offset, with or without space around it.
   *
   * @throws InvalidValueException if the text is none; it names the nearest zone, if one is near
   */
  public static ZoneId zone(String text) {
    try {
      return ZoneId.of(text.strip());
    } catch (DateTimeException e) {
      throw new InvalidValueException(
          Quoted.of(text)
              + " is not a time zone"
              + ZoneNames.meant(text)
                  .map(zone -> "; the nearest one is \"" + zone + "\"")
                  .orElse(""),
          "Europe/Berlin");
    }
  }

  /** The text of an instant, with milliseconds if they are not zero. */
  public static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  /** The text of a local time, with milliseconds if they are not zero. */
  public static String text(LocalDateTime local) {
    return local.truncatedTo(ChronoUnit.MILLIS).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
  }

  public static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  public static Instant later(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }

  public static Instant later(Instant a, Optional<Instant> b) {
    return b.isPresent() ? later(a, b.get()) : a;
  }

  private static Optional<LocalDateTime> local(String text) {
    return attempt(LocalDateTime::parse, text);
  }

  private static <T> Optional<T> attempt(Function<? super String, T> parse, String text) {
    try {
      return Optional.of(parse.apply(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Instant resolve(LocalDateTime time, ZoneId zone) {
    ZoneOffsetTransition change = zone.getRules().getTransition(time);
    boolean isInGap = change != null && change.isGap();
    return isInGap ? change.getInstant() : time.atZone(zone).toInstant();
  }
}
