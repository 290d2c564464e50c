package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.Cron;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class KeptSentencesTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private final KeptSentences sentences = new KeptSentences();

  @Test
  void a_sentence_belongs_to_its_expression_zone_and_language_and_no_answer_is_kept_too() {
    Cron utc = Cron.parse("0 9 * * *", ZoneOffset.UTC);
    Cron tokyo = Cron.parse("0 9 * * *", ZoneId.of("Asia/Tokyo"));
    Cron read = Cron.parse("0 0 */2 * 3", ZoneOffset.UTC);
    for (int i = 0; i < 2; i++) {
      assertThat(sentences.of(utc, Locale.GERMAN, NOW)).contains("Um 09:00, Z");
      assertThat(sentences.of(tokyo, Locale.GERMAN, NOW)).contains("Um 09:00, Asia/Tokyo");
      assertThat(sentences.of(utc, Locale.FRENCH, NOW)).contains("À 09:00, Z");
      assertThat(sentences.of(read, Locale.GERMAN, NOW)).isEmpty();
      assertThat(sentences.size()).isEqualTo(4);
    }
  }

  /** From a hundred days before a change of clocks on, the two disagree about it. */
  @Test
  void a_sentence_is_looked_for_again_after_an_hour() {
    Cron berlin = Cron.parse("30 2 * * *", ZoneId.of("Europe/Berlin"));
    Instant change = Instant.parse("2027-03-28T01:00:00Z");
    Instant before = change.minus(Duration.ofDays(102));
    assertThat(sentences.of(berlin, Locale.GERMAN, before)).isPresent();
    assertThat(sentences.of(berlin, Locale.GERMAN, before.plus(Duration.ofDays(3)))).isEmpty();
  }

  @Test
  void the_number_of_sentences_is_bounded() {
    for (int i = 0; i <= KeptSentences.MOST; i++) {
      String expression = i % 60 + " " + i / 60 + " * * *";
      sentences.of(Cron.parse(expression, ZoneOffset.UTC), Locale.GERMAN, NOW);
    }
    assertThat(sentences.size()).isEqualTo(KeptSentences.MOST);
  }
}
