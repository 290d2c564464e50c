package io.waterclock.schemas.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class StarPatternTest {
  private static String text(SplittableRandom random, String alphabet, int most) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(most + 1);
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  @Test
  void a_star_stands_for_any_characters() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 100_000; i++) {
      String pattern = text(random, "ab*", 8);
      String text = text(random, "ab", 12);
      assertThat(StarPattern.of(pattern).matches(text))
          .as("%s in %s", text, pattern)
          .isEqualTo(Pattern.matches(pattern.replace("*", ".*"), text));
    }
  }

  @Test
  void a_part_is_found_as_it_is_written() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 10_000; i++) {
      String part = text(random, "ab*", 4);
      String text = text(random, "ab*", 12);
      assertThat(StarPattern.containing(part).matches(text))
          .as("%s in %s", part, text)
          .isEqualTo(text.contains(part));
    }
  }

  /** An hour, if each place were tried from its beginning. */
  @Test
  void a_match_costs_the_length_of_the_text() {
    String almost = "a".repeat(4_000_000) + "b";
    String text = "a".repeat(8_000_000);
    assertThat(StarPattern.of("*" + almost + "*").matches(text)).isFalse();
    assertThat(StarPattern.containing(almost).matches(text)).isFalse();
    assertThat(StarPattern.of("*".repeat(10_000_000)).matches(text)).isTrue();
  }
}
