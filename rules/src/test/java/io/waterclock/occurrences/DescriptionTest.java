package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptionTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant ANCHOR = Instant.parse("2026-01-30T08:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 9 * * 1-5          | At 09:00 on Monday to Friday, Europe/Berlin",
        "@daily               | At 00:00 every day, Europe/Berlin",
        "* * * * *            | Every minute, Europe/Berlin",
        "*/15 * * * *         | Every 15 minutes, Europe/Berlin",
        "0,20,40 9,10 * * *   | At 09:00, 09:20, 09:40, 10:00, 10:20 and 10:40 every day, Europe/Berlin",
        "*/15 9-17 * * MON    | Every 15 minutes in the hours 9 to 17 on Monday, Europe/Berlin",
        "7 * * * *            | At minute 7 of every hour, Europe/Berlin",
        "10,50 */2 * * *      | At minutes 10 and 50 of the hours 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 22, Europe/Berlin",
        "*/10 * * * * *       | Every 10 seconds of every minute, Europe/Berlin",
        "30 0 12 1,15 * *     | At 12:00:30 on the 1st and 15th of the month, Europe/Berlin",
        "0 9 L * *            | At 09:00 on the last day of the month, Europe/Berlin",
        "0 9 LW,15W,L-2 1-3 * | At 09:00 on the day from Monday to Friday nearest to the 15th, 2 days before the last and the last day from Monday to Friday of the month in January to March, Europe/Berlin",
        "0 9 31W,L-3W,L-1 * * | At 09:00 on the day from Monday to Friday nearest to the 31st, the day before the last and the day from Monday to Friday nearest to the day that is 3 days before the last of the month, Europe/Berlin",
        "0 9 L-1W * *         | At 09:00 on the day from Monday to Friday nearest to the day before the last of the month, Europe/Berlin",
        "0 9 * * 5#5          | At 09:00 on the 5th Friday of the month, Europe/Berlin",
        "0 9 * * 5L,2#1       | At 09:00 on the 1st Tuesday and the last Friday of the month, Europe/Berlin",
        "0 9 13 * 5           | At 09:00 on the 13th of the month and on Friday (either is enough), Europe/Berlin",
        "0 9 */2 * 5          | At 09:00 on the 1st, 3rd, 5th, 7th, 9th, 11th, 13th, 15th, 17th, 19th, 21st, 23rd, 25th, 27th, 29th and 31st of the month if that is Friday (both must hold), Europe/Berlin",
        "0 9 * 2 SAT,SUN      | At 09:00 on Saturday and Sunday in February, Europe/Berlin",
      })
  void cron(String expression, String sentence) {
    assertThat(Description.of(Cron.parse(expression, BERLIN))).isEqualTo(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=MONTHLY;BYDAY=-1FR;COUNT=12 | Every month on the last Friday of the month at 09:00, from 2026-01-30 09:00 on, 12 times, Europe/Berlin",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20261224 | Every 2 weeks on Monday and Wednesday (weeks begin on Monday) at 09:00, from 2026-01-30 09:00 on, until 2026-12-24 23:59:59, Europe/Berlin",
        "FREQ=YEARLY | Every year on the 30th of January at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=MONTHLY;BYMONTHDAY=1,-1;BYHOUR=9,17 | Every month on the last day and the 1st of the month at 09:00 and 17:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 | Every month on Monday to Friday at 09:00, of these only the last of each month, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10 | Every 20 minutes when the clock shows hours 9 and 10, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=YEARLY;BYWEEKNO=20 | Every year on days of week 20 of the year (weeks begin on Monday) if that is also Friday at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=YEARLY;BYMONTH=6 | Every year in June on the 30th at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=YEARLY;BYWEEKNO=-1;BYDAY=MO | Every year on days of the last week of the year (weeks begin on Monday) if that is also Monday at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=YEARLY;BYYEARDAY=100,-2 | Every year on the 2nd to last day and day 100 of the year at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=YEARLY;BYDAY=20MO,-1FR | Every year on the 20th Monday of the year and the last Friday of the year at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=YEARLY;BYMONTH=6;BYDAY=2MO,TU | Every year in June on Tuesday and the 2nd Monday of the month at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=WEEKLY;BYDAY=MO | Every week on Monday at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=MO | Every 2 months on Monday at 09:00, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=HOURLY;BYHOUR=9;BYMINUTE=0,30;BYSECOND=5 | Every hour when the clock shows hour 9, minutes 0 and 30 and second 5, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2 | Every month on Monday to Friday at 09:00, of these only the 2nd of each month, from 2026-01-30 09:00 on, Europe/Berlin",
        "FREQ=DAILY;COUNT=1 | Every day at 09:00, from 2026-01-30 09:00 on, once, Europe/Berlin",
        "FREQ=DAILY;UNTIL=20261224T180000Z | Every day at 09:00, from 2026-01-30 09:00 on, until 2026-12-24T18:00:00Z, Europe/Berlin",
      })
  void recurrence_rules(String rule, String sentence) {
    assertThat(Description.of(RRule.parse(rule, ANCHOR, BERLIN).requireOccurrence()))
        .isEqualTo(sentence);
  }

  @Test
  void the_anchor_of_a_rule_is_told_by_the_second_that_it_counts_from() {
    RRule rule =
        RRule.parse("FREQ=HOURLY", RRule.implicitAnchor(ANCHOR), BERLIN).requireOccurrence();
    assertThat(Description.of(rule))
        .isEqualTo("Every hour, from 2026-01-30 09:00 on, Europe/Berlin");
  }

  @Test
  void grids_and_single_instants() {
    assertThat(Description.of(Every.of(ANCHOR, 5, IntervalUnit.MINUTE, BERLIN)))
        .isEqualTo(
            "Every 5 minutes from 2026-01-30 09:00 on, independently of the wall clock, Europe/Berlin");
    assertThat(Description.of(Every.of(ANCHOR, 1, IntervalUnit.MONTH, BERLIN)))
        .isEqualTo(
            "Every month from 2026-01-30 09:00 on, at the end of a month that is too short,"
                + " Europe/Berlin");
    assertThat(
            Description.of(
                Once.of(ANCHOR).within(Optional.of(ANCHOR), Optional.of(ANCHOR.plusSeconds(1)))))
        .isEqualTo(
            "Once, at 2026-01-30T08:00:00Z, not before 2026-01-30T08:00:00Z,"
                + " before 2026-01-30T08:00:01Z");
  }

  /** Words that left something out would tell different triggers alike. */
  @Test
  void what_is_told_alike_occurs_alike() {
    Map<String, Trigger> told = new HashMap<>();
    Seeds.forEach(
        Seeds.COUNT / 10,
        random -> {
          Trigger trigger;
          try {
            trigger =
                random.nextBoolean()
                    ? Cron.parse(RandomCron.of(random).text(), ZoneId.of("UTC"))
                    : RRule.parse(RandomRRule.of(random).text(), ANCHOR, ZoneId.of("UTC"))
                        .requireOccurrence();
          } catch (InvalidTriggerException e) {
            return;
          }
          Trigger other = told.putIfAbsent(Description.of(trigger), trigger);
          if (other != null) {
            assertThat(some(trigger)).as("%s and %s", trigger, other).isEqualTo(some(other));
          }
        });
  }

  private static List<Instant> some(Trigger trigger) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = trigger.nextAfter(ANCHOR);
    while (next.isPresent() && found.size() < 100) {
      found.add(next.get());
      next = trigger.nextAfter(next.get());
    }
    return found;
  }
}
