package io.waterclock.schemas.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuotedTest {
  @Test
  void a_text_of_sixty_characters_is_whole_and_a_longer_one_is_cut() {
    String sixty = "0123456789".repeat(6);
    assertThat(Quoted.cut(sixty)).isEqualTo(sixty);
    assertThat(Quoted.cut(sixty + "0")).isEqualTo(sixty + "...");
  }

  @Test
  void what_would_break_or_turn_the_line_or_is_not_seen_is_written_as_in_json() {
    assertThat(Quoted.cut("a\nb\u001b[1m\u2028c\u2029d\u202ee"))
        .isEqualTo("a\\nb\\u001b[1m\\u2028c\\u2029d\\u202ee");
    assertThat(Quoted.cut("\ud83d\ude00")).isEqualTo("\\ud83d\\ude00");
    assertThat(Quoted.cut("\n".repeat(31))).isEqualTo("\\n".repeat(30) + "...");
    assertThat(Quoted.cut("0 9\u00a0* *\u2007* \t")).isEqualTo("0 9\\u00a0* *\\u2007* \\t");
  }
}
