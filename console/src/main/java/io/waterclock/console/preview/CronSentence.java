package io.waterclock.console.preview;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.CronDialect;
import io.waterclock.occurrences.Trigger;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A cron expression in words of many languages, by the CronDescriptor of cron-utils.
 *
 * <p>cron-utils reads some expressions in another way than their own schedulers, and than
 * Waterclock: its sentence would then describe other occurrences. So there is a sentence only where
 * the next hundred occurrences of cron-utils are those of the engine. Pure and thread-safe. A call
 * costs some milliseconds.
 */
public final class CronSentence {
  /** The languages that cron-utils has. */
  public static final List<String> LANGUAGES =
      List.of(
          "de", "el", "en", "es", "fr", "id", "it", "ja", "ko", "nl", "pl", "pt", "ro", "ru", "sw",
          "tr", "zh");

  private static final int COMPARED = 100;

  private CronSentence() {}

  /**
   * One sentence, without a full stop, such as "Um 02:30, Europe/Berlin".
   *
   * @param locale whose language counts
   * @param now from which occurrences are compared
   * @return empty for another trigger than a cron expression, for another language, and for an
   *     expression that cron-utils does not read, or reads in another way
   */
  public static Optional<String> of(Trigger trigger, Locale locale, Instant now) {
    if (!(trigger instanceof Cron cron) || !LANGUAGES.contains(locale.getLanguage())) {
      return Optional.empty();
    }
    try {
      com.cronutils.model.Cron theirs = read(cron);
      return agrees(cron, ExecutionTime.forCron(theirs), now)
          ? Optional.of(sentence(CronDescriptor.instance(locale).describe(theirs), cron, locale))
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty(); // it refuses the expression, or fails while it searches
    }
  }

  private static com.cronutils.model.Cron read(Cron cron) {
    String text = cron.expression();
    return switch (cron.dialect()) {
      case QUARTZ -> read(CronType.QUARTZ, text);
      case AWS -> read(CronType.QUARTZ, "0 " + text.replaceFirst("(?i)^cron\\((.*)\\)$", "$1"));
      default -> read(hasFiveFields(cron) ? CronType.UNIX : CronType.SPRING53, text);
    };
  }

  private static com.cronutils.model.Cron read(CronType type, String text) {
    return new CronParser(CronDefinitionBuilder.instanceDefinitionFor(type)).parse(text);
  }

  private static boolean hasFiveFields(Cron cron) {
    return cron.dialect() != CronDialect.SPRING && cron.expression().split("\\s+", -1).length == 5;
  }

  private static boolean agrees(Cron cron, ExecutionTime times, Instant now) {
    Instant at = now;
    for (int i = 0; i < COMPARED; i++) {
      Optional<Instant> ours = cron.nextAfter(at);
      if (!ours.equals(times.nextExecution(at.atZone(cron.zone())).map(ZonedDateTime::toInstant))) {
        return false;
      }
      if (ours.isEmpty()) {
        break;
      }
      at = ours.get();
    }
    return true;
  }

  private static String sentence(String words, Cron cron, Locale locale) {
    return words.substring(0, 1).toUpperCase(locale) + words.substring(1) + ", " + cron.zone();
  }
}
