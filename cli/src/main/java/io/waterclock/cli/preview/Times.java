package io.waterclock.cli.preview;

import io.waterclock.cli.terminal.DurationText;
import io.waterclock.occurrences.ClockEffect;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times and clock changes as text. */
final class Times {
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss", Locale.ENGLISH);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd", Locale.ENGLISH);
  private static final DateTimeFormatter ZONE =
      DateTimeFormatter.ofPattern("xxx zzz", Locale.ENGLISH);

  private Times() {}

  static String local(Instant instant, ZoneId zone) {
    return LOCAL.format(instant.atZone(zone));
  }

  /** Offset and abbreviation. */
  static String offset(Instant instant, ZoneId zone) {
    return ZONE.format(instant.atZone(zone));
  }

  static String day(LocalDateTime local) {
    return DAY.format(local);
  }

  /** The two largest units: {@code in 3 d 4 h}, {@code 5 min ago}. */
  static String distance(Instant from, Instant to) {
    String words = DurationText.text(Duration.between(from, to).abs());
    return to.isBefore(from) ? words + " ago" : "in " + words;
  }

  /**
   * The times that a change skips or repeats: {@code 02:30}, {@code 4 times from 02:00 to 02:45}.
   */
  static String touched(ClockEffect effect) {
    LocalDateTime first = effect.first();
    return effect.times() == 1
        ? first.toLocalTime().toString()
        : "%s times from %s to %s"
            .formatted(effect.times(), first.toLocalTime(), effect.last().toLocalTime());
  }

  /** The effect of a clock change, as the end of a sentence that begins with {@link #touched}. */
  static String outcome(ClockEffect effect) {
    boolean one = effect.times() == 1;
    String missing = one ? " does not exist, " : " do not exist, ";
    String twice = one ? " occurs twice, " : " occur twice, ";
    return switch (effect.kind()) {
      case MOVED ->
          missing + "so it occurs once at " + effect.change().getDateTimeAfter().toLocalTime();
      case DROPPED -> missing + "and nothing occurs instead";
      case DOUBLED -> twice + "and so does the occurrence";
      case FIRST_PASS -> twice + "only the first time counts";
    };
  }
}
