package io.waterclock.occurrences.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClosestNameTest {
  @Test
  void the_name_with_the_fewest_changes_is_the_closest() {
    assertThat(ClosestName.to("ab", List.of("xxab", "ac"))).contains("ac");
    assertThat(ClosestName.to("ab", List.of("abxx", "bb"))).contains("bb");
    assertThat(ClosestName.to("ax", List.of("acc", "bx"))).contains("bx");
    assertThat(ClosestName.to("Ab ", List.of("B", "A"))).contains("A");
  }

  @Test
  void a_name_of_more_than_64_characters_is_no_slip() {
    assertThat(ClosestName.to("a".repeat(64), List.of("a"))).contains("a");
    assertThat(ClosestName.to("a".repeat(65), List.of("a"))).isEmpty();
  }
}
