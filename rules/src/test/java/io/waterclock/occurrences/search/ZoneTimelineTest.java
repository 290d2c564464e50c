package io.waterclock.occurrences.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.Horizon;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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

  @Test
  void wall_clock_times_are_those_of_java_where_the_400_years_begin_again() {
    SplittableRandom random = new SplittableRandom(2);
    for (String id : ZoneId.getAvailableZoneIds()) {
      ZoneRules rules = ZoneId.of(id).getRules();
      ZoneTimeline timeline = ZoneTimeline.of(ZoneId.of(id));
      long end = rules.isFixedOffset() ? 0 : timeline.end(timeline.lastSegment());
      for (int i = 0; i < 20; i++) {
        LocalDateTime local =
            LocalDateTime.ofEpochSecond(
                end + random.nextLong(-100_000, 100_000), 0, ZoneOffset.UTC);
        assertThat(timeline.instantOfLocal(local.toEpochSecond(ZoneOffset.UTC)))
            .as("%s in %s", local, id)
            .isEqualTo(local.toEpochSecond(rules.getOffset(local)));
      }
    }
  }

  @Test
  void occurrences_are_those_of_java_where_the_400_years_begin_again() {
    for (String id : ZoneId.getAvailableZoneIds()) {
      ZoneId zone = ZoneId.of(id);
      ZoneTimeline timeline = ZoneTimeline.of(zone);
      long end = zone.getRules().isFixedOffset() ? 0 : timeline.end(timeline.lastSegment());
      int offset = zone.getRules().getOffset(Instant.ofEpochSecond(end)).getTotalSeconds();
      assertThat(timeline.local(end)).as(id).isEqualTo(end + offset);
      int year = LocalDateTime.ofEpochSecond(end, 0, ZoneOffset.UTC).getYear();
      newYears(Cron.parse("0 5,20 1 1 *", zone), year, List.of(5, 20));
      newYears(Cron.parse("0 */10 1 1 *", zone), year, List.of(0, 10, 20));
    }
  }

  private static void newYears(Cron cron, int year, List<Integer> hours) {
    List<Instant> expected =
        Stream.of(year, year + 1)
            .flatMap(each -> hours.stream().map(hour -> LocalDateTime.of(each, 1, 1, hour, 0)))
            .map(local -> local.atZone(cron.zone()).toInstant())
            .toList();
    Instant before = expected.get(0).minusSeconds(200 * Civil.SECONDS_PER_DAY);
    Instant last = before;
    for (Instant each : expected) {
      assertThat(cron.nextAfter(last)).as("%s", cron).contains(each);
      assertThat(cron.lastAtOrBefore(each.plusSeconds(1))).as("%s", cron).contains(each);
      last = each;
    }
    assertThat(cron.count(before, last, 100).value()).as("%s", cron).isEqualTo(expected.size());
  }
}
