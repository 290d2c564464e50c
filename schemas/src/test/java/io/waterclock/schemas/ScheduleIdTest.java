package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleIdTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "7", "billing/invoice-42", "A.b_c~d:e/f@g-h", "0----"})
  void an_id_is_letters_digits_and_some_marks(String text) {
    assertThat(ScheduleId.parse(text)).hasToString(text);
    assertThat(ScheduleId.parse(text.getBytes(StandardCharsets.UTF_8)).value()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''; schedule id is empty",
        "-a; begins with '-'",
        "a b; has a space at position 1",
        "a|b; has '|' at position 1",
        "ä; has U+00E4 at position 0",
        "'a\t'; has U+0009 at position 1",
      })
  void a_bad_id_is_refused_with_the_reason_and_the_rule(String text, String reason) {
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> ScheduleId.parse(text))
        .withMessageContainingAll(reason, "for example \"billing/invoice-42\"");
  }

  @Test
  void an_id_has_at_most_255_characters() {
    assertThat(ScheduleId.parse("x".repeat(255)).value()).hasSize(255);
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> ScheduleId.parse("x".repeat(256)))
        .withMessageContaining("has 256 characters");
  }

  @Test
  void a_key_that_is_not_utf8_is_refused() {
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> ScheduleId.parse(new byte[] {'a', (byte) 0xff}))
        .withMessageContaining("is not UTF-8 text (bytes 61 ff)");
  }
}
