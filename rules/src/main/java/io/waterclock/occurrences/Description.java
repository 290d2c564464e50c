package io.waterclock.occurrences;

import io.waterclock.occurrences.Trigger.Bounded;
import io.waterclock.occurrences.core.Words;
import io.waterclock.occurrences.search.RRuleWords;
import io.waterclock.occurrences.search.TimeWords;
import java.time.ZoneId;
import java.util.Locale;

/**
 * Describes triggers in English, from the values that the search uses. Two triggers with the same
 * description have the same occurrences. Pure and thread-safe.
 */
public final class Description {

  private Description() {}

  /** One sentence, without a full stop, such as "At 09:00 on Monday to Friday, Europe/Berlin". */
  public static String of(Trigger trigger) {
    if (trigger instanceof Cron cron) {
      return sentence(CronWords.of(cron.text()), cron.zone());
    }
    if (trigger instanceof Every every) {
      return of(every);
    }
    if (trigger instanceof RRule rule) {
      return sentence(RRuleWords.of(rule.rule(), rule.localAnchor()), rule.zone());
    }
    if (trigger instanceof Bounded bounded) {
      return of(bounded.trigger())
          + bounded.start().map(start -> ", not before " + start).orElse("")
          + bounded.end().map(end -> ", before " + end).orElse("");
    }
    return "Once, at " + ((Once) trigger).at();
  }

  private static String of(Every every) {
    String unit = every.unit().name().toLowerCase(Locale.ROOT);
    String grid =
        "every " + Words.counted(every.n(), unit) + " from " + TimeWords.of(every.localAnchor());
    String rule =
        switch (every.unit()) {
          case MONTH, YEAR -> " on, at the end of a month that is too short";
          case DAY, WEEK -> " on";
          default -> " on, independently of the wall clock";
        };
    return sentence(grid + rule, every.zone());
  }

  private static String sentence(String words, ZoneId zone) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ", " + zone;
  }
}
