package io.waterclock.schemas.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstantsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource({
    "2026-12-24T18:00:00Z, 2026-12-24T18:00:00Z",
    "2026-12-24T18:00:00+01:00, 2026-12-24T17:00:00Z",
    "2026-12-24T18:00Z, 2026-12-24T18:00:00Z",
    "2026-12-24T18:00:00.123456Z, 2026-12-24T18:00:00.123Z",
    "2026-12-24T18:00:00, 2026-12-24T17:00:00Z",
    "2026-12-24T18:00, 2026-12-24T17:00:00Z",
  })
  void a_time_has_an_offset_or_is_local(String text, Instant instant) {
    assertThat(Instants.parse(text, BERLIN)).isEqualTo(instant);
  }

  @Test
  void a_local_time_in_a_gap_is_the_gaps_end() {
    assertThat(Instants.parse("2026-03-29T02:30:00", BERLIN)).isEqualTo("2026-03-29T01:00:00Z");
    assertThat(Instants.parse("2026-03-29T02:00:00", BERLIN)).isEqualTo("2026-03-29T01:00:00Z");
    assertThat(Instants.parse("2026-03-29T03:00:00", BERLIN)).isEqualTo("2026-03-29T01:00:00Z");
  }

  @Test
  void a_local_time_in_an_overlap_is_its_first_pass() {
    assertThat(Instants.parse("2026-10-25T02:30:00", BERLIN)).isEqualTo("2026-10-25T00:30:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-29T02:30:00, 2026-03-29T01:00:00Z",
    "2026-10-25T02:30:00, 2026-10-25T01:00:00Z",
    "2026-10-25T03:00:00, ",
    "2026-03-29T02:30:00Z, ",
    "tomorrow, "
  })
  void what_a_change_of_clocks_does_to_a_local_time_can_be_told(String text, Instant change) {
    assertThat(Instants.changeAt(text, BERLIN).map(ZoneOffsetTransition::getInstant))
        .isEqualTo(Optional.ofNullable(change));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tomorrow",
        "2026-12-24",
        "18:00",
        "2026-12-24 18:00:00",
        "2026-13-01T00:00:00Z",
        "1766599200000",
        "2026-02-30T00:00:00Z",
        "+999999999-01-01T00:00:00Z"
      })
  void anything_else_is_refused_with_an_example(String text) {
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Instants.parse(text, BERLIN))
        .withMessageContaining("for example 2026-12-24T18:00:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EST                          | America/New_York",
        "PST                          | America/Los_Angeles",
        "pdt                          | America/Los_Angeles",
        "CEST                         | Europe/Berlin",
        "London                       | Europe/London",
        "Bern                         | Europe/Zurich",
        "New Delhi                    | Asia/Kolkata",
        "Eastern Time (US & Canada)   | America/New_York",
        "eastern time (us &  canada)  | America/New_York",
        "Eastern Standard Time        | America/New_York",
        "Eastern Daylight Time        | America/New_York",
        "Eastern Time                 | America/New_York",
        "W. Europe Standard Time      | Europe/Berlin",
        "Romance Standard Time        | Europe/Paris",
        "GMT Standard Time            | Europe/London",
        "Tokyo Standard Time          | Asia/Tokyo",
        "Russia Time Zone 11          | Asia/Kamchatka",
        "europe/berlin                | Europe/Berlin",
        "America/New York             | America/New_York",
      })
  void a_name_of_windows_or_rails_and_an_abbreviation_name_their_zone(String name, String zone) {
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Instants.zone(name))
        .withMessageContaining("is not a time zone; the nearest one is \"" + zone + "\"");
  }

  @Test
  void every_name_of_the_table_names_a_zone() throws IOException {
    List<String[]> rows;
    try (InputStream table = Instants.class.getResourceAsStream("zone-names.tsv")) {
      rows =
          new String(table.readAllBytes(), UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split("\t", -1))
              .toList();
    }
    assertThat(rows).hasSizeGreaterThan(300);
    for (String[] row : rows) {
      assertThat(row).hasSize(2);
      assertThat(ZoneId.getAvailableZoneIds()).contains(row[1]);
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> Instants.zone(row[0]))
          .withMessageContaining("\"" + row[1] + "\"");
    }
  }

  @Test
  void an_unknown_zone_names_the_nearest() {
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Instants.zone("pst"))
        .withMessageContaining("the nearest one is \"America/Los_Angeles\"");
    assertThat(Instants.zone("+02:00")).isEqualTo(ZoneId.of("+02:00"));
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Instants.zone("utc+2"))
        .withMessageContaining("the nearest one is \"UTC+02:00\"");
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Instants.zone("berlin"))
        .withMessageContaining("the nearest one is \"Europe/Berlin\"");
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Instants.zone("Europe/Berln"))
        .withMessageContaining("the nearest one is \"Europe/Berlin\"");
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Instants.zone("SystemV/CST"))
        .withMessageNotContaining("nearest one is \"SystemV");
  }
}
