package io.waterclock.occurrences.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Horizon;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ZoneTimelineTest {

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
