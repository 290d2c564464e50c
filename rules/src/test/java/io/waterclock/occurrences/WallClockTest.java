package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.search.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against java.time, round clock changes, some of which fall on midnight or show a date twice. */
class WallClockTest {
  private static final Instant FROM = Instant.parse("1985-01-01T00:00:00Z");
  private static final int ROUNDS = 2_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "+05:30",
        "Europe/Berlin",
        "America/St_Johns",
        "America/Sao_Paulo",
        "Pacific/Apia",
        "Asia/Beirut",
        "Australia/Lord_Howe"
      })
  void dates_and_times_are_those_of_the_zone(String name) {
    ZoneId zone = ZoneId.of(name);
    WallClock clock = WallClock.of(zone);
    SplittableRandom random = new SplittableRandom(name.hashCode());
    for (int i = 0; i < ROUNDS; i++) {
      Instant at = near(zone.getRules(), random);
      long day = at.atZone(zone).toLocalDate().toEpochDay();
      assertThat(clock.day(at)).isEqualTo(day);
      sameTime(clock, zone, at, day + random.nextInt(-3, 4));
      evenly(clock, zone, at, day + 1 + random.nextInt(3), random);
    }
  }

  @Test
  void a_clock_that_never_changes_runs_evenly_to_the_horizon() {
    Instant horizon = Instant.parse("+10000-01-01T00:00:00Z");
    long afterAll = LocalDate.of(10_001, 1, 1).toEpochDay();
    assertThat(WallClock.of(ZoneId.of("UTC")).evenlyBefore(afterAll, FROM)).isEqualTo(horizon);
  }

  private static Instant near(ZoneRules rules, SplittableRandom random) {
    long later = random.nextInt(4) == 0 ? random.nextInt(1, 20) * Civil.SECONDS_PER_CYCLE : 0;
    Instant any = FROM.plusSeconds(random.nextInt(50 * 366 * 86_400)).plusSeconds(later);
    ZoneOffsetTransition change = rules.nextTransition(any);
    return change == null || random.nextInt(4) == 0
        ? any
        : change.getInstant().plusMillis(random.nextLong(-172_800_000L, 172_800_000L));
  }

  private static void sameTime(WallClock clock, ZoneId zone, Instant at, long day) {
    LocalDateTime local = at.atZone(zone).toLocalTime().atDate(LocalDate.ofEpochDay(day));
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    Optional<Instant> expected;
    if (offsets.isEmpty()) {
      ZoneOffsetTransition gap = zone.getRules().getTransition(local);
      boolean isLong = gap.getDuration().compareTo(Duration.ofHours(3)) > 0;
      expected = isLong ? Optional.empty() : Optional.of(gap.getInstant());
    } else {
      expected = Optional.of(local.toInstant(offsets.get(0)));
    }
    assertThat(clock.sameTimeOn(day, at)).as("%s on %s", at, local).isEqualTo(expected);
  }

  private static void evenly(
      WallClock clock, ZoneId zone, Instant at, long day, SplittableRandom random) {
    Instant end = clock.evenlyBefore(day, at);
    assertThat(end).isAfter(at);
    long ms = Duration.between(at, end).toMillis();
    Instant within = at.plusMillis(random.nextLong(ms));
    ZoneOffset offset = zone.getRules().getOffset(at);
    assertThat(zone.getRules().getOffset(within)).isEqualTo(offset);
    assertThat(clock.day(within)).isLessThan(day);
    boolean isChange = !zone.getRules().getOffset(end).equals(offset); // may leave the day out
    assertThat(isChange || clock.day(end) <= day).as("%s to %s", at, end).isTrue();
  }
}
