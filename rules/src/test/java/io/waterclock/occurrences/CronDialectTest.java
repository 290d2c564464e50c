package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What expressions of other schedulers mean here, and which of them mean nothing. */
final class CronDialectTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          QUARTZ | 0 0 9 ? * 2-6             | 0 0 9 ? * 1-5
          QUARTZ | 0 0 9 ? * MON-FRI         | 0 0 9 ? * MON-FRI
          QUARTZ | 0 0 9 ? * 6L              | 0 0 9 ? * 5L
          QUARTZ | 0 0 9 ? * FRIL            | 0 0 9 ? * FRIL
          QUARTZ | 0 0 9 ? * 6#3             | 0 0 9 ? * 5#3
          QUARTZ | 0 0 9 ? * L               | 0 0 9 ? * 6
          QUARTZ | 0 0 9 ? * */2             | 0 0 9 ? * */2
          QUARTZ | 0 0 9 ? * 2/2             | 0 0 9 ? * 1/2
          QUARTZ | 0 0 9 ? * 6-2             | 0 0 9 ? * 5-1
          QUARTZ | 0 /5 * * * ?              | 0 */5 * * * ?
          QUARTZ | 0 0 22-2 L-3W * ?         | 0 0 22-2 L-3W * ?
          QUARTZ | 0 0 9 L * ?               | 0 0 9 L * ?
          QUARTZ | 0 0 9 ? * 1-7             | 0 0 9 ? * 0-6
          QUARTZ | 0 0 9 ? * 2,4             | 0 0 9 ? * 1,3
          SPRING | 0 0 9 * * */2             | 0 0 9 * * 1-7/2
          SPRING | 0 0 9 * * 5/2             | 0 0 9 * * 5-7/2
          SPRING | 0 0 9 * * FRI-SUN         | 0 0 9 * * FRI-7
          SPRING | 0 0 9 * * SUN-WED         | 0 0 9 * * 0-WED
          SPRING | 0 0 9 * * SUN-SUN         | 0 0 9 * * 0-7
          SPRING | 0 0 9 * * 7-7             | 0 0 9 * * 0-7
          SPRING | 0 0 9 * * 7-3             | 0 0 9 * * 0-3
          SPRING | 0 0 9 * * SUN/2           | 0 0 9 * * 7-7/2
          SPRING | @daily                    | 0 0 0 * * *
          AWS    | cron(0 9 ? * MON-FRI *)   | 0 0 9 ? * MON-FRI
          AWS    | 15 10 ? * 6L *            | 0 15 10 ? * 5L
          UNIX   | 0 9 * * 1-5               | 0 0 9 * * 1-5
          UNIX   | 0 9 * * 5-5               | 0 0 9 * * 5-5
          UNIX   | @hourly                   | 0 0 * * * *
          ROBFIG | 0 9 * * 1-5               | 0 0 9 * * 1-5
          ROBFIG | 0 0 */2 * 3               | 0 0 0 1-31/2 * 3
          ROBFIG | 0 0 13 * */2              | 0 0 0 13 * 0-6/2
          ROBFIG | 0 0 */5 * 1-5             | 0 0 0 1-31/5 * 1-5
          ROBFIG | 0 0 5,* * 1               | 0 0 0 * * 1
          ROBFIG | 0 0 */1 * 1               | 0 0 0 * * 1
          ROBFIG | */15 */2 ? * MON          | 0 */15 */2 * * MON
          ROBFIG | 5/15 0 * * 1/2            | 0 5/15 0 * * 1/2
          ROBFIG | @daily                    | 0 0 0 * * *
          CRONITER | 0 0 */13 * 5            | 0 0 0 1-31/13 * 5
          CRONITER | 0 0 5,* * 1             | 0 0 0 * * 1
          CRONITER | 0 0 */1 * 1             | 0 0 0 1-31/1 * 1
          CRONITER | 0 0 1-31 * */2          | 0 0 0 * * 0-6/2
          CRONITER | 0 0 1-31 * 1            | 0 0 0 1-31 * 1
          CRONITER | 0 0 * * fri-mon         | 0 0 0 * * FRI-MON
          CRONITER | 0 0 L,15 * *            | 0 0 0 L,15 * *
          CRONITER | 0 0 L * 5               | 0 0 0 L * 5
          CRONITER | 0 0 * * fri#3,5#1       | 0 0 0 * * FRI#3,5#1
          CRONITER | 0 0 * * L5              | 0 0 0 * * 5L
          CRONITER | 0 0 * * l7              | 0 0 0 * * 7L
          CRONITER | 0 0 * * 1-7             | 0 0 0 * * *
          CRONITER | 5/15 22-2 * * ?         | 0 5/15 22-2 * * *
          FUGIT  | 0 0 */2 * 3               | 0 0 0 1-31/2 * 3
          FUGIT  | 30 0 9 * * 1-5            | 30 0 9 * * 1-5
          JENKINS | 0 9 * * 1-5              | 0 0 9 * * 1-5
          JENKINS | 0-29/10 * * * 5-7        | 0 0-29/10 * * * 5-7
          """)
  void an_expression_is_translated_field_by_field(CronDialect dialect, String text, String ours) {
    assertThat(CronTranslator.translated(text, dialect)).isEqualTo(ours);
    assertThat(first(Cron.parse(text, dialect, ZoneOffset.UTC)))
        .isEqualTo(first(Cron.parse(ours, ZoneOffset.UTC)));
    assertThat(CronTranslator.needsDialect(text, dialect)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          QUARTZ | 0 0 9 * * *               | exactly one of them must be ?
          QUARTZ | 0 0 9 ? * ?               | exactly one of them must be ?
          QUARTZ | 0 9 * * 1-5               | expected six fields (seconds first), or seven with years, not 5
          QUARTZ | 0 0 9 ? * 0               | day of week: 0 is out of range 1-7, where 1 is Sunday in Quartz
          QUARTZ | 0 0 9 ? * 8               | day of week: 8 is out of range 1-7
          QUARTZ | 0 0 9 ? * MON-FRI/2       | Quartz ignores a step behind a name
          QUARTZ | 0 0 9 ? * MON#1,FRI#2     | Quartz reads L and # for one weekday only
          QUARTZ | 0 0 9 ? * MON 2026/2      | year: "2026/2" has no equal
          QUARTZ | 0 0 9 ? * MON 2026,2028   | year: "2026,2028" has no equal
          QUARTZ | 0 0 9 ? * MON 26          | year: "26" is not understood
          QUARTZ | 0 0 9 ? * MON 2028-2026   | year: "2028-2026" is no range
          QUARTZ | 0 0 9 ? * MON 1969-2026   | year: "1969-2026" is no range
          QUARTZ | 0 0 9 ? * MON 2026-2200   | year: "2026-2200" is no range
          QUARTZ | 0 0 9 ? * MON 2026/0      | year: "2026/0" is no range
          QUARTZ | @daily                    | expected six fields
          QUARTZ | 0 0 0 30 2 ?              | names no day of any year
          SPRING | 0 9 * * 1-5               | expected six fields, seconds first, not 5
          SPRING | 0 0 22-2 * * *            | hour: "22-2" runs backwards, which Spring refuses
          AWS    | cron(0 9 * * 1 *)         | exactly one of them must be ?
          AWS    | at(2026-01-01T00:00:00)   | "at(2026-01-01T00:00:00)" is a time of EventBridge; use the field at
          WATERCLOCK | at(2026-01-01T00:00:00) | is a time of EventBridge; use the field at, with what the brackets hold
          WATERCLOCK | 2026 9 * * *          | minute: 2026 is out of range 0-59
          WATERCLOCK | 0 9 L-2026 * *        | L-2026 is out of range L-1 to L-30
          WATERCLOCK | 0 9 * * 5#2026        | #2026 is out of range #1 to #5
          WATERCLOCK | */2026 9 * * *        | step 2026 is out of range 1-59; for every 2026 minutes use the field every
          WATERCLOCK | 0 9 * * 12345678901   | day of week: 12345678901 is too large
          UNIX   | 2026 9 * * *              | minute: 2026 is out of range 0-59
          QUARTZ | 0 0 9 ? * 2026            | day of week: 2026 is out of range 1-7
          QUARTZ | 0 2026 9 ? * 2            | minute: 2026 is out of range 0-59; e.g. "0 0 9 ? * MON-FRI"
          SPRING | 61 0 9 * * 2              | second: 61 is out of range 0-59; e.g. "0 0 9 * * MON-FRI"
          AWS    | 61 9 ? * 2 *              | e.g. "cron(0 9 ? * MON-FRI *)"
          QUARTZ | 0 0 9 ? * MON 26          | year: "26" is not understood; e.g. "0 0 9 ? * MON-FRI"
          QUARTZ | 0 0 0 30 2 ?              | names no day of any year; e.g. "0 0 9 ? * MON-FRI"
          SPRING | @often                    | e.g. "0 0 9 * * MON-FRI"
          QUARTZ | 5m                        | "5m" is an interval; use the field every; e.g. "0 0 9 ? * MON-FRI"
          WATERCLOCK | */90 * * * *          | minute: step 90 is out of range 1-59; for every 90 minutes use the field every
          WATERCLOCK | 0 */48 * * *          | for every 48 hours use the field every
          WATERCLOCK | 0 0 */45 * *          | for every 45 days use the field every
          WATERCLOCK | */90 * * * * *        | for every 90 seconds use the field every
          WATERCLOCK | H * * * *             | "H" is not understood; a value from the job's name is Jenkins: add "dialect":"jenkins"
          WATERCLOCK | H/15 * * * *          | is Jenkins: add "dialect":"jenkins", or use the field jitter
          UNIX   | H(0-29) * * * *           | is Jenkins: add "dialect":"jenkins", or use the field jitter
          CRONITER | 0 0 13 * 5#3            | croniter finds no date for it beside a day of the month
          CRONITER | 0 0 */2 * L5            | croniter finds no date for it beside a day of the month
          CRONITER | 0 0 * * 5#3,1           | "5#3" is not part of the dialect croniter
          CRONITER | 0 0 * * 5#6             | "5#6" is not part of the dialect croniter
          CRONITER | 0 0 15W * *             | "15W" is not part of the dialect croniter
          JENKINS | 0 9 * * MON              | "MON": Jenkins has no names; write the number
          JENKINS | 0 9 ? * 1                | ? is not part of the dialect jenkins; write *
          JENKINS | 5/15 9 * * 1             | "5/15": the dialect jenkins has steps behind * and ranges only; write 5-59/15
          JENKINS | 0 22-2 * * 1             | "22-2" runs backwards, which Jenkins refuses
          JENKINS | 0 9 * * 8                | day of week: 8 is out of range 0-7
          JENKINS | 0 0 9 * * 1              | expected five fields, not 6
          JENKINS | 0 0 30 2 *               | names no day of any year; e.g. "H 9 * * 1-5"
          WATERCLOCK | 0 9 * * MONDAY        | "MONDAY" is not understood; write MON
          WATERCLOCK | 0 9 * * monday-friday | "monday-friday" is not understood; write MON-FRI
          WATERCLOCK | 0 9 1 SEPT *          | "SEPT" is not understood; write SEP
          WATERCLOCK | 0 9 * * MONTHLY       | "MONTHLY" is not understood; e.g.
          UNIX   | 0 9 * * MONDAY            | "MONDAY" is not part of a crontab; write MON
          SPRING | 0 0 9 * * MONDAY          | "MONDAY" is not understood; write MON
          QUARTZ | 0 0 9 ? * MONDAY          | "MONDAY" is not understood; write MON
          WATERCLOCK | 0 9 ? * MON-FRI *     | EventBridge reads it: add "dialect":"aws"
          WATERCLOCK | 0 0 9 ? * 2-6 2026    | a field of years is Quartz: add "dialect":"quartz"
          WATERCLOCK | cron_tz=UTC 0 9 * * * | begins with a time zone in lower case; write CRON_TZ= or TZ=
          WATERCLOCK | tz=UTC 0 9 * * *      | begins with a time zone in lower case; write CRON_TZ= or TZ=
          WATERCLOCK | CRON_TZ=UTC 0 9 * * * | names a time zone that the field timezone does not
          AWS    | rate(1 days)              | "rate(1 days)" is no rate of EventBridge: a number and minutes, hours or days, or 1 and minute, hour or day; for seconds use the field every; e.g. "rate(1 day)"
          AWS    | rate(5 minute)            | e.g. "rate(5 minutes)"
          AWS    | rate(30 seconds)          | e.g. "rate(5 minutes)"
          WATERCLOCK | rate(1 days)          | e.g. "rate(1 day)"
          WATERCLOCK | rate(5 minute)        | e.g. "rate(5 minutes)"
          WATERCLOCK | rate(30 seconds)      | for seconds use the field every
          UNIX   | 0 0 9 * * 1-5             | expected five fields, not 6
          UNIX   | 0 22-2 * * *              | hour: "22-2" runs backwards, which crontab refuses
          UNIX   | 0 9 * * -5                | day of week: "-5" is not understood
          SPRING | 0 0 9 * * -5              | day of week: "-5" is not understood
          AWS    | cron(0 -59 ? * 6L *)      | hour: "-59" is not understood
          QUARTZ | 0 0 9 ? * -5              | day of week: "-5" is not understood
          UNIX   | 5/15 * * * *              | a crontab has steps behind * and ranges only; write 5-59/15
          UNIX   | */0 * * * *               | minute: step 0 is out of range 1-59
          UNIX   | 0 9 L * *                 | day of month: "L" is not part of a crontab
          UNIX   | 0 9 * * 5#2               | day of week: "5#2" is not part of a crontab
          UNIX   | 0 9 ? * 1                 | ? is not part of a crontab; write *
          UNIX   | 0 9 1 * ?                 | ? is not part of a crontab; write *
          UNIX   | 0 9 * * Ö              | has the character U+00D6 (latin capital letter o with diaeresis), which cron does not use
          UNIX   | @reboot                   | means nothing here, as nothing reboots
          ROBFIG | 0 9 * * 7                 | "7": 7 is out of range 0-6; Sunday is 0 in Kubernetes
          ROBFIG | 0 9 * * 5-7               | "5-7": 7 is out of range 0-6
          ROBFIG | 0 22-2 * * *              | hour: "22-2" runs backwards, which Kubernetes refuses
          ROBFIG | 0 9 L * *                 | "L" is not part of the dialect robfig
          ROBFIG | 0 0 9 * * 1               | expected five fields, not 6
          CRONITER | 0 9 5-5 * *             | "5-5": croniter reads it as the whole field; write 5
          CRONITER | 59/2 9 * * *            | "59/2": croniter reads it as the whole field; write 59
          CRONITER | 50-10/7 9 * * *         | croniter steps round the end in its own way; write a list
          CRONITER | 0 9 * * 2-7/2           | croniter steps round the end in its own way; write a list
          CRONITER | 0 9 * * 2/2             | croniter steps through the week in its own way; write a list
          CRONITER | 0 9 * * * 30            | expected five fields (a sixth is seconds there), not 6
          FUGIT  | 0 9 * * sun%2             | "sun%2" has no equal as cron; use the field rrule with an anchor, such as FREQ=WEEKLY;INTERVAL=2;BYDAY=SU
          FUGIT  | 0 9 * * */2               | fugit steps through the week in its own way; write a list
          FUGIT  | 0 9 * * 5#2               | "5#2" is not part of the dialect fugit
          WATERCLOCK | 0 9 * * * Europe/Berlin | a time zone goes into the field timezone; fugit reads one at the end: add "dialect":"fugit"
          UNIX   | 0~59 * * * *              | minute: "0~59" is a random value, which cron chooses when it reads the table
          """)
  void an_expression_that_its_scheduler_refuses_or_that_has_no_equal_is_refused(
      CronDialect dialect, String text, String problem) {
    assertThatThrownBy(() -> Cron.parse(text, dialect, ZoneOffset.UTC))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "JENKINS")
  void space_around_an_expression_is_no_part_of_it(CronDialect dialect) {
    assertThat(Cron.parse("\r\n " + dialect.example() + " \n", dialect, ZoneOffset.UTC))
        .isEqualTo(Cron.parse(dialect.example(), dialect, ZoneOffset.UTC));
    assertThat(CronTranslator.translated(dialect.example() + "\n", dialect))
        .isEqualTo(CronTranslator.translated(dialect.example(), dialect));
  }

  @Test
  void a_character_that_is_not_seen_is_named() {
    assertThatThrownBy(() -> Cron.parse("0 9\u00a0* * *", ZoneOffset.UTC))
        .hasMessageStartingWith(
            "\"0 9\\u00a0* * *\" has the character U+00A0 (no-break space), which cron does not use");
    assertThatThrownBy(() -> Cron.parse("0 9\n* * *", CronDialect.UNIX, ZoneOffset.UTC))
        .hasMessageStartingWith("\"0 9\\n* * *\" has the character U+000A (line feed (lf))");
    assertThatThrownBy(
            () ->
                RRule.parse("FREQ=DAILY;\u00a0COUNT=2", START, ZoneOffset.UTC).requireOccurrence())
        .hasMessageStartingWith(
            "\"FREQ=DAILY;\\u00a0COUNT=2\" has the character U+00A0 (no-break space)");
    assertThatThrownBy(() -> Zones.parse("Europe/Berlin\u00a0"))
        .hasMessageStartingWith("\"Europe/Berlin\\u00a0\" is not a time zone");
  }

  @Test
  void space_around_aliases_rules_and_zones_is_no_part_of_them() {
    assertThat(Cron.parse("@daily\n", ZoneOffset.UTC))
        .isEqualTo(Cron.parse("@daily", ZoneOffset.UTC));
    assertThat(RRule.parse("FREQ=DAILY\n", START, ZoneOffset.UTC).requireOccurrence())
        .isEqualTo(RRule.parse("FREQ=DAILY", START, ZoneOffset.UTC).requireOccurrence());
    assertThat(Zones.parse("Europe/Berlin\n")).isEqualTo(ZoneId.of("Europe/Berlin"));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "JENKINS")
  void each_dialect_has_an_example_that_is_right(CronDialect dialect) {
    assertThat(first(Cron.parse(dialect.example(), dialect, ZoneOffset.UTC)))
        .startsWith(Instant.parse("2026-01-01T09:00:00Z"), Instant.parse("2026-01-02T09:00:00Z"));
  }

  @Test
  void a_day_must_match_both_day_fields_of_spring_and_either_one_of_a_crontab() {
    assertThat(first(Cron.parse("0 0 0 13 * FRI", CronDialect.SPRING, ZoneOffset.UTC)))
        .startsWith(Instant.parse("2026-02-13T00:00:00Z"), Instant.parse("2026-03-13T00:00:00Z"));
    assertThat(CronTranslator.needsDialect("0 0 0 13 * FRI", CronDialect.SPRING)).isTrue();
    assertThat(first(Cron.parse("0 0 13 * FRI", CronDialect.UNIX, ZoneOffset.UTC)))
        .startsWith(Instant.parse("2026-01-02T00:00:00Z"), Instant.parse("2026-01-09T00:00:00Z"));
    assertThat(CronTranslator.needsDialect("0 0 13 * FRI", CronDialect.UNIX)).isFalse();
    assertThat(Description.of(Cron.parse("0 0 0 13 * FRI", CronDialect.SPRING, ZoneOffset.UTC)))
        .contains("both must hold");
  }

  /** The right values were found by robfig/cron and croniter themselves. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ROBFIG   | 0 0 */2 * 3 | 2026-12-01 | 2026-12-01 2026-12-02 2026-12-03 2026-12-05 2026-12-07 2026-12-09
          CRONITER | 0 0 */13 * 5 | 2026-01-02 | 2026-01-02 2026-01-09 2026-01-14
          ROBFIG   | 0 0 5,* * 1 | 2026-12-01 | 2026-12-07 2026-12-14 2026-12-21
          ROBFIG   | 0 0 13 * */2 | 2026-12-08 | 2026-12-08 2026-12-10 2026-12-12 2026-12-13 2026-12-15
          ROBFIG   | 0 0 */5 * 1-5 | 2026-12-04 | 2026-12-04 2026-12-06 2026-12-07 2026-12-08
          """)
  void a_star_restricts_the_day_as_the_other_scheduler_says(
      CronDialect dialect, String text, String from, String dates) {
    Trigger trigger = Cron.parse(text, dialect, ZoneOffset.UTC);
    Instant at = Instant.parse(from + "T00:00:00Z").minusMillis(1);
    for (String date : dates.split(" ", -1)) {
      at = trigger.nextAfter(at).orElseThrow();
      assertThat(at).isEqualTo(Instant.parse(date + "T00:00:00Z"));
    }
  }

  @Test
  void one_range_of_years_bounds_the_expression_on_the_clock_of_its_zone() {
    Trigger trigger =
        Cron.parse("0 0 0 1 1 ? 2027-2028", CronDialect.QUARTZ, ZoneId.of("Europe/Berlin"));
    assertThat(first(trigger))
        .containsExactly(
            Instant.parse("2026-12-31T23:00:00Z"), Instant.parse("2027-12-31T23:00:00Z"));
    assertThat(CronTranslator.needsDialect("0 0 0 1 1 ? 2027", CronDialect.QUARTZ)).isTrue();
    assertThat(CronTranslator.needsDialect("0 0 0 1 1 ? *", CronDialect.QUARTZ)).isFalse();
    assertThat(first(Cron.parse("0 0 0 1 1 ? 2027/1", CronDialect.QUARTZ, ZoneOffset.UTC)))
        .hasSize(10);
  }

  @Test
  void the_same_text_in_two_dialects_is_two_triggers() {
    String text = "0 0 9 ? * 2-6";
    Trigger quartz = Cron.parse(text, CronDialect.QUARTZ, ZoneOffset.UTC);
    assertThat(Cron.parse(text, ZoneOffset.UTC)).hasToString("Cron[0 0 9 ? * 2-6 in Z]");
    assertThat(quartz)
        .isNotEqualTo(Cron.parse(text, CronDialect.WATERCLOCK, ZoneOffset.UTC))
        .isEqualTo(Cron.parse(text, CronDialect.QUARTZ, ZoneOffset.UTC))
        .hasToString("Cron[QUARTZ 0 0 9 ? * 2-6 in Z]");
    assertThat(Description.of(quartz)).contains("Monday to Friday");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          0 0 9 ? * 2-6   | WATERCLOCK: At 09:00 on Tuesday to Saturday; QUARTZ: At 09:00 on Monday to Friday
          0 9 ? * 6L      | WATERCLOCK: At 09:00 on the last Saturday of the month; QUARTZ: At 09:00 on the last Friday of the month
          0 0 0 13 * 5    | WATERCLOCK: At 00:00 on the 13th of the month and on Friday (either is enough); SPRING: At 00:00 on the 13th of the month if that is Friday (both must hold)
          0 0 9 ? * MON   | -
          0 0 */13 * 5    | WATERCLOCK: At 00:00 on the 1st, 14th and 27th of the month if that is Friday (both must hold); ROBFIG: At 00:00 on the 1st, 14th and 27th of the month and on Friday (either is enough); CRONITER: At 00:00 on the 1st, 14th and 27th of the month and on Friday (either is enough); FUGIT: At 00:00 on the 1st, 14th and 27th of the month and on Friday (either is enough)
          0 0 9 * * 2-6   | -
          0 9 * * 1-5     | -
          0 0 13 * 5      | -
          no cron at all  | -
          """)
  void a_text_that_means_different_things_has_a_reading_for_each(String text, String readings) {
    String found =
        CronReading.differing(text).stream()
            .map(reading -> reading.dialect() + ": " + reading.words())
            .collect(Collectors.joining("; "));
    assertThat(found).isEqualTo(readings == null ? "" : readings);
  }

  private static List<Instant> first(Trigger trigger) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = trigger.nextAfter(START.minusMillis(1));
    while (next.isPresent() && found.size() < 10) {
      found.add(next.get());
      next = trigger.nextAfter(next.get());
    }
    return found;
  }
}
