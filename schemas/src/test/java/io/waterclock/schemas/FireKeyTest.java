package io.waterclock.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FireKeyTest {
  private static final ScheduleId ID = ScheduleId.parse("reports/daily");
  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");

  @Test
  void the_text_is_the_id_and_the_occurrence_with_milliseconds() {
    assertThat(FireKey.of(ID, TEN).text()).isEqualTo("reports/daily|2026-11-21T10:00:00.000Z");
    assertThat(FireKey.of(ID, TEN.plusMillis(7)))
        .hasToString("reports/daily|2026-11-21T10:00:00.007Z");
  }

  @Test
  void the_occurrence_can_stand_alone() {
    assertThat(FireKey.of(ID, TEN).occurrenceBytes())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("2026-11-21T10:00:00.000Z");
  }

  @Test
  void a_command_id_comes_last() {
    FireKey key = new FireKey(ID, TEN, Optional.of("cömmand|1"));

    assertThat(key.text()).isEqualTo("reports/daily|2026-11-21T10:00:00.000Z|cömmand|1");
    assertThat(key.bytes()).isEqualTo(key.text().getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a|2026-11-21T10:00:00.000Z",
        "a|0000-01-01T00:00:00.000Z",
        "a|-0001-12-31T23:59:59.999Z",
        "a|+12345-01-01T00:00:00.000Z|command",
        "a|9999-12-31T23:59:59.999Z|a|b",
      })
  void parse_reads_what_text_writes(String text) {
    assertThat(FireKey.parse(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a; has no '|'",
        "|2026-11-21T10:00:00.000Z; schedule id is empty",
        "a|2026-11-21T10:00:00Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-11-21T10:00:00.000+00:00; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-11-21T25:00:00.000Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-11-21T10:60:00.000Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-02-29T10:00:00.000Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|+026-11-21T10:00:00.000Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-11-21t10:00:00.000Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-11-21T10:00:00.-00Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-11-21T10:00:00.0x0Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-11-21T10:00:00.000000Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|+1000000000-12-31T23:59:59.999Z; is not an ISO-8601 UTC instant with milliseconds",
        "a|2026-11-21T10:00:00.000Z|; command id",
      })
  void parse_refuses_every_other_text(String text, String reason) {
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> FireKey.parse(text))
        .withMessageContaining(reason);
  }

  @Test
  void an_occurrence_is_a_whole_number_of_milliseconds() {
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> FireKey.of(ID, TEN.plusNanos(1)));
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> FireKey.of(ID, Instant.MAX));
  }

  @Test
  void a_command_id_has_1_to_255_characters_without_control_characters() {
    FireKey.checkCommandId("x".repeat(255));
    for (String bad : new String[] {"", "x".repeat(256), "a\nb"}) {
      assertThatExceptionOfType(InvalidIdException.class)
          .isThrownBy(() -> FireKey.checkCommandId(bad));
    }
  }
}
