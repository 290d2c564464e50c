package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.ZoneTimeline;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.SplittableRandom;
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

  @Test
  void a_timeline_gives_the_offsets_of_java_in_every_zone_and_century() {
    SplittableRandom random = new SplittableRandom(1);
    for (String id : ZoneId.getAvailableZoneIds()) {
      ZoneRules rules = ZoneId.of(id).getRules();
      ZoneTimeline timeline = ZoneTimeline.of(ZoneId.of(id));
      for (int i = 0; i < 2_000; i++) {
        long second =
            random.nextLong(Horizon.FIRST_SECOND, Horizon.LAST_SECOND) / random.nextInt(1, 100);
        int offset = timeline.offset(timeline.segment(second - timeline.fold(second)));
        assertThat(offset)
            .as("%s at %s", id, second)
            .isEqualTo(rules.getOffset(Instant.ofEpochSecond(second)).getTotalSeconds());
      }
    }
  }
}
