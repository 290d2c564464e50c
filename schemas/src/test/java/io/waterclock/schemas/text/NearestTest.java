package io.waterclock.schemas.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "abc, '', 3",
    "kitten, sitting, 3",
    "ab, ba, 1",
    "ca, abc, 3",
    "grace_ms, grace, 3"
  })
  void distance_counts_edits_and_swaps_of_neighbours(String a, String b, int distance) {
    for (int limit = distance; limit < distance + 3; limit++) {
      assertThat(Nearest.distance(a, b, limit)).isEqualTo(distance);
      assertThat(Nearest.distance(b, a, limit)).isEqualTo(distance);
    }
    for (int limit = 0; limit < distance; limit++) {
      assertThat(Nearest.distance(a, b, limit)).isGreaterThan(limit);
      assertThat(Nearest.distance(b, a, limit)).isGreaterThan(limit);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berln, Europe/Berlin",
    "zone, timezone",
    "tz, ",
    "Foo, ",
    "foo, ",
    "rkk, ROK",
    "a.name.that.is.no.setting, ",
  })
  void only_what_is_near_may_be_meant(String name, @Nullable String meant) {
    assertThat(Nearest.slipOf(name, List.of("Europe/Berlin", "ROK", "acks", "timezone")))
        .isEqualTo(Optional.ofNullable(meant));
    assertThat(Nearest.slipOf(name, List.of())).isEmpty();
  }

  @Test
  void the_nearest_name_needs_the_fewest_edits() {
    assertThat(Nearest.to("TIMEZON", List.of("timeout", "timezone", "type"))).isEqualTo("timezone");
    assertThat(Nearest.to("bat", List.of("cat", "rat", "hat"))).isEqualTo("cat");
    assertThat(Nearest.to("x".repeat(1 << 20), List.of("b", "a"))).isEqualTo("a");
  }
}
