package io.waterclock.occurrences.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuoteTest {
  @Test
  void a_text_of_forty_characters_is_whole_and_a_longer_one_is_cut() {
    String forty = "0123456789".repeat(4);
    assertThat(Quote.of(forty)).isEqualTo(forty);
    assertThat(Quote.of(forty + "0")).isEqualTo(forty + "...");
  }

  @Test
  void what_would_break_or_turn_the_line_or_is_not_seen_is_written_as_in_json() {
    assertThat(Quote.of("a\nb\u001b[1m\u2028c\u2029d\u202ee"))
        .isEqualTo("a\\nb\\u001b[1m\\u2028c\\u2029d\\u202ee");
    assertThat(Quote.of("\ud83d\ude00")).isEqualTo("\\ud83d\\ude00");
    assertThat(Quote.of("\n".repeat(21))).isEqualTo("\\n".repeat(20) + "...");
    assertThat(Quote.of("0 9\u00a0* *\u2007* \t")).isEqualTo("0 9\\u00a0* *\\u2007* \\t");
  }
}
