package io.waterclock.console.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.CronDialect;
import io.waterclock.occurrences.Every;
import io.waterclock.occurrences.search.IntervalUnit;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The German sentences are those of cron-utils. */
class CronSentenceTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "WATERCLOCK; 30 2 * * *; Um 02:30",
        "WATERCLOCK; 0 9 * * 1-5; Um 09:00 jede Tag zwischen Montag und Freitag",
        "WATERCLOCK; */5 * * * * *; Jede 5 Sekunden",
        "UNIX; 0 0 13 * 5; Um 00:00 um 13 Tag um Freitag Tag",
        "QUARTZ; 0 0 9 ? * MON-FRI; Um 09:00 jede Tag zwischen Montag und Freitag",
        "AWS; cron(0 9 ? * MON-FRI *); Um 09:00 jede Tag zwischen Montag und Freitag",
        "SPRING; 0 0 9 L * ?; Um 09:00 letzten Tag des Monats",
      })
  void an_expression_that_both_read_alike_is_a_sentence(
      CronDialect dialect, String expression, String sentence) {
    assertThat(CronSentence.of(Cron.parse(expression, dialect, ZoneOffset.UTC), Locale.GERMAN, NOW))
        .contains(sentence + ", Z");
  }

  /**
   * Of the days that cron-utils finds for {@code *}{@code /2} in a day field, cron knows but the
   * Wednesdays; of the days that Kubernetes finds for a list with a star, cron-utils knows fewer.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"UNIX; 0 0 */2 * 3", "WATERCLOCK; 0 0 */2 * 3", "WATERCLOCK; 0 22-2 * * *"})
  void an_expression_that_cron_utils_reads_in_another_way_has_none(
      CronDialect dialect, String expression) {
    assertThat(CronSentence.of(Cron.parse(expression, dialect, ZoneOffset.UTC), Locale.GERMAN, NOW))
        .isEmpty();
  }

  /** In the night of 2027-03-28, Berlin has no 02:30: the engine fires at 03:00. */
  @Test
  void the_next_hundred_occurrences_are_compared_and_no_more() {
    Cron berlin = Cron.parse("30 2 * * *", ZoneId.of("Europe/Berlin"));
    Instant change = Instant.parse("2027-03-28T01:00:00Z");
    Instant within = change.minusSeconds(99 * 86_400L);
    Instant before = change.minusSeconds(102 * 86_400L);
    boolean isAlike = CronSentence.of(berlin, Locale.GERMAN, within).isPresent();
    assertThat(CronSentence.of(berlin, Locale.GERMAN, before)).contains("Um 02:30, Europe/Berlin");
    assertThat(isAlike).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pirate", "xx", "", "cs"})
  void another_language_has_none(String tag) {
    assertThat(
            CronSentence.of(
                Cron.parse("0 9 * * *", ZoneOffset.UTC), Locale.forLanguageTag(tag), NOW))
        .isEmpty();
  }

  @Test
  void every_language_has_a_sentence_of_its_own() {
    Cron daily = Cron.parse("0 9 * * 1-5", ZoneOffset.UTC);
    assertThat(CronSentence.LANGUAGES)
        .extracting(tag -> CronSentence.of(daily, Locale.forLanguageTag(tag), NOW).orElseThrow())
        .doesNotHaveDuplicates();
  }

  @Test
  void an_interval_has_none() {
    assertThat(
            CronSentence.of(
                Every.of(NOW, 5, IntervalUnit.MINUTE, ZoneOffset.UTC), Locale.GERMAN, NOW))
        .isEmpty();
  }
}
