package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class ZonesTest {

  @Test
  void a_wrong_name_is_refused() {
    assertThatThrownBy(() -> Zones.parse("Europe/Berln"))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessage("\"Europe/Berln\" is not a time zone; e.g. \"Europe/Berlin\"");
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
