package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZonesTest {

  @ParameterizedTest
  @CsvSource({
    "Europe/Berln, Europe/Berlin",
    "europe/berlin, Europe/Berlin",
    "Amerca/New York, America/New_York",
    "Etc/UTX, Etc/UTC"
  })
  void a_wrong_name_is_answered_with_the_nearest_valid_one(String wrong, String right) {
    assertThatThrownBy(() -> Zones.parse(wrong))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessage(
            "\"%s\" is not a time zone; did you mean %s?; e.g. \"%s\"", wrong, right, right);
  }

  @Test
  void names_and_offsets_are_zones() {
    assertThat(Zones.parse("Europe/Berlin")).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(Zones.parse("+02:00").getRules().isFixedOffset()).isTrue();
  }

  @Test
  void the_version_of_the_time_zone_database_is_known() {
    assertThat(Tzdb.version()).matches("20\\d\\d[a-z]");
  }
}
