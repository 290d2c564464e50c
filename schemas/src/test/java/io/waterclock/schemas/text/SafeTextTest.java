package io.waterclock.schemas.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"", "reports/daily", "Über 30 °C – 日本 \uD83D\uDE00", "{\"a\":\"b\\\\c\"}"})
  void what_harms_nobody_stays_the_same_text(String text) {
    assertThat(SafeText.line(text)).isSameAs(text);
    assertThat(SafeText.lines(text)).isSameAs(text);
  }

  @Test
  void controls_marks_of_direction_and_line_ends_are_escaped_as_json_has_it() {
    assertThat(SafeText.line("a\u001b[2J\u0000\u007f\u009b\r\n\tb"))
        .isEqualTo("a\\u001b[2J\\u0000\\u007f\\u009b\\r\\n\\tb");
    assertThat(SafeText.line("\u202e\u2066\u200b\ufeff\u2028\u2029\u0085"))
        .isEqualTo("\\u202e\\u2066\\u200b\\ufeff\\u2028\\u2029\\u0085");
    assertThat(SafeText.line("\uDB40\uDC41 \uD800"))
        .as("a tag beyond the first plane, and half a character")
        .isEqualTo("\\udb40\\udc41 \\ud800");
  }

  @Test
  void lines_keep_their_ends_and_tabs() {
    assertThat(SafeText.lines("a\n\tb\r\u001b")).isEqualTo("a\n\tb\\r\\u001b");
  }

  @Test
  void a_long_text_is_cut_between_characters() {
    assertThat(SafeText.cut("abc", 3)).isEqualTo("abc");
    assertThat(SafeText.cut("abcd", 3)).isEqualTo("abc...");
    assertThat(SafeText.cut("ab\uD83D\uDE00", 3)).isEqualTo("ab...");
    assertThat(SafeText.cut("a\uD83D\uDE00b", 3)).isEqualTo("a\uD83D\uDE00...");
    assertThat(SafeText.beginning("ab\uD83D\uDE00", 3)).isEqualTo("ab");
    assertThat(SafeText.beginning("ab", 0)).isEmpty();
  }
}
