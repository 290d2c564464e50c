package io.waterclock.connect.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdTextTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "sync,sync",
        "a.b_c~d:e/f@g-h,a.b_c~d:e/f@g-h",
        "nightly report,nightly~20report",
        "nightly~20report,nightly~7E20report",
        "a~2g,a~2g",
        "a~2f,a~2f",
        "~~41,~~7E41",
        "Müller,M~C3~BCller",
        "a|b,a~7Cb",
        "100%,100~25",
        "\" a \",~20a~20",
        "\uD83D\uDE00,~F0~9F~98~80",
      })
  void characters_that_an_id_cannot_contain_are_escaped_and_all_others_stay(
      String text, String written) {
    assertThat(IdText.written(text)).contains(written);
    assertThat(IdText.read(written)).contains(text);
  }

  @Test
  void no_two_texts_give_the_same_id_and_each_can_be_read_back() {
    String characters = "~~~~027EeFf aA%ü\u0000\n€";
    SplittableRandom random = new SplittableRandom(20_261_123);
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = 1 + random.nextInt(6); length > 0; length--) {
        text.append(characters.charAt(random.nextInt(characters.length())));
      }
      String written = IdText.written(text.toString()).orElseThrow();
      assertThat(ScheduleId.parse("a" + written).value()).endsWith(written);
      assertThat(IdText.read(written)).contains(text.toString());
      assertThat(texts.merge(written, text.toString(), (old, same) -> old))
          .isEqualTo(text.toString());
    }
  }

  @Test
  void half_of_a_surrogate_pair_is_not_text() {
    assertThat(IdText.written("a\uD83D")).isEmpty();
  }
}
