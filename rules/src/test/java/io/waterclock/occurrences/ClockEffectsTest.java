package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.ClockEffect.Kind;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockEffectsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 2 * * *       | Europe/Berlin       | 2026-03-29 | MOVED 02:30 1",
        "30 2 * * *       | Europe/Berlin       | 2026-10-25 | FIRST_PASS 02:30 1",
        "*/15 * * * *     | Europe/Berlin       | 2026-03-29 | DROPPED 02:00 4",
        "*/15 * * * *     | Europe/Berlin       | 2026-10-25 | DOUBLED 02:00 4",
        "0,20,40 1-3 * * *| Europe/Berlin       | 2026-03-29 | MOVED 02:00 3",
        "0 9 * * *        | Europe/Berlin       | 2026-03-29 | -",
        "30 2 * * *       | America/New_York    | 2026-03-08 | MOVED 02:30 1",
        "30 1 * * *       | America/New_York    | 2026-11-01 | FIRST_PASS 01:30 1",
        "30 2 * * *       | America/St_Johns    | 2026-03-08 | MOVED 02:30 1",
        "15 2 * * *       | Australia/Lord_Howe | 2026-10-04 | MOVED 02:15 1",
        "45 1 * * *       | Australia/Lord_Howe | 2026-04-05 | FIRST_PASS 01:45 1",
        "15 1 * * *       | Australia/Lord_Howe | 2026-04-05 | -",
        "30 3 * * *       | Antarctica/Casey    | 2009-10-18 | MOVED 03:30 1",
        "0 9 * * *        | Pacific/Apia        | 2011-12-30 | DROPPED 09:00 1",
        "0 0 * * *        | Africa/Cairo        | 2026-04-24 | MOVED 00:00 1",
      })
  void cron_at_real_changes(String expression, String zone, LocalDate day, String expected) {
    ZoneId zoneId = ZoneId.of(zone);
    assertThat(told(Cron.parse(expression, zoneId), zoneId, day)).isEqualTo(expected);
  }

  @Test
  void grids_and_rules_at_real_changes() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    LocalDate spring = LocalDate.of(2026, 3, 29);
    Instant anchor = Instant.parse("2026-01-01T01:30:00Z");
    assertThat(told(Every.of(anchor, 1, IntervalUnit.DAY, berlin), berlin, spring))
        .isEqualTo("MOVED 02:30 1");
    Instant summer = Instant.parse("2025-07-01T00:30:00Z");
    assertThat(told(Every.of(summer, 1, IntervalUnit.DAY, berlin), berlin, spring))
        .isEqualTo("MOVED 02:30 1");
    assertThat(
            told(
                RRule.parse("FREQ=DAILY;INTERVAL=2", summer, berlin).requireOccurrence(),
                berlin,
                spring))
        .isEqualTo("-"); // the day before and the day after
    Instant twoDaysBefore = Instant.parse("2026-03-27T01:30:00Z");
    assertThat(
            told(
                RRule.parse("FREQ=DAILY;INTERVAL=2", twoDaysBefore, berlin).requireOccurrence(),
                berlin,
                spring))
        .isEqualTo("MOVED 02:30 1");
    assertThat(told(RRule.parse("FREQ=DAILY", summer, berlin).requireOccurrence(), berlin, spring))
        .isEqualTo("MOVED 02:30 1");
    Instant full = Instant.parse("2026-01-01T01:00:00Z");
    assertThat(told(Every.of(full, 1, IntervalUnit.HOUR, berlin), berlin, spring)).isEqualTo("-");
    assertThat(told(RRule.parse("FREQ=DAILY", anchor, berlin).requireOccurrence(), berlin, spring))
        .isEqualTo("MOVED 02:30 1");
    assertThat(told(RRule.parse("FREQ=HOURLY", anchor, berlin).requireOccurrence(), berlin, spring))
        .isEqualTo("-");
    assertThat(
            told(
                RRule.parse("FREQ=MINUTELY;BYHOUR=2", anchor, berlin).requireOccurrence(),
                berlin,
                spring))
        .isEqualTo("DROPPED 02:00 60");
    assertThat(
            told(
                RRule.parse("FREQ=DAILY;COUNT=3", anchor, berlin).requireOccurrence(),
                berlin,
                spring))
        .isEqualTo("-");
    assertThat(told(Once.of(anchor), berlin, spring)).isEqualTo("-");
  }

  @Test
  void effects_agree_with_what_the_engine_does_in_all_zones() {
    Seeds.forEach(
        Seeds.COUNT / 20,
        random -> {
          Place place = Place.near(random);
          ZoneId zone = place.zone();
          Instant t = place.instant();
          Optional<Trigger> trigger = trigger(random, zone, t);
          if (trigger.isEmpty()) {
            return;
          }
          Instant from = t.minus(Duration.ofDays(3));
          for (ClockEffect effect :
              ClockEffects.of(trigger.get(), from, t.plus(Duration.ofDays(3)))) {
            agrees(effect, trigger.get());
          }
        });
  }

  private static Optional<Trigger> trigger(SplittableRandom random, ZoneId zone, Instant t) {
    try {
      return Optional.of(
          switch (random.nextInt(3)) {
            case 0 -> Cron.parse(RandomCron.of(random).text(), zone);
            case 1 -> Every.of(t.minus(Duration.ofDays(30)), 1, IntervalUnit.DAY, zone);
            default ->
                RRule.parse(RandomRRule.of(random).text(), t.minus(Duration.ofDays(30)), zone)
                    .requireOccurrence();
          });
    } catch (InvalidTriggerException e) {
      return Optional.empty();
    }
  }

  private static void agrees(ClockEffect effect, Trigger trigger) {
    String what = effect + " of " + trigger;
    ZoneOffsetTransition change = effect.change();
    Instant first = effect.first().toInstant(change.getOffsetBefore());
    Instant second = effect.first().toInstant(change.getOffsetAfter());
    switch (effect.kind()) {
      case MOVED -> {
        assertThat(occurs(trigger, effect.at())).as(what).isTrue();
        assertThat(effect.concerns(effect.at())).as(what).isTrue();
      }
      case DROPPED -> {
        long shown = trigger.count(effect.at().minusMillis(1), effect.at(), 9).value();
        assertThat(shown).as(what).isLessThanOrEqualTo(1);
        assertThat(effect.concerns(effect.at())).as(what).isFalse();
      }
      case DOUBLED -> {
        assertThat(occurs(trigger, first)).as(what).isTrue();
        assertThat(effect.concerns(first) && effect.concerns(second)).as(what).isTrue();
        if (trigger instanceof Cron) {
          assertThat(occurs(trigger, second)).as(what).isTrue();
        }
      }
      case FIRST_PASS -> {
        assertThat(occurs(trigger, first)).as(what).isTrue();
        assertThat(occurs(trigger, second)).as(what).isFalse();
        assertThat(effect.concerns(first)).as(what).isTrue();
        assertThat(effect.concerns(second)).as(what).isFalse();
      }
    }
  }

  private static boolean occurs(Trigger trigger, Instant at) {
    return trigger.lastAtOrBefore(at).filter(at::equals).isPresent();
  }

  private static String told(Trigger trigger, ZoneId zone, LocalDate day) {
    Instant from = day.atStartOfDay(zone).toInstant().minus(Duration.ofHours(20));
    List<ClockEffect> effects = ClockEffects.of(trigger, from, from.plus(Duration.ofDays(2)));
    assertThat(effects).hasSizeLessThan(2);
    return effects.stream()
        .map(effect -> effect.kind() + " " + effect.first().toLocalTime() + " " + effect.times())
        .findFirst()
        .orElse("-");
  }

  @Test
  void an_overlap_concerns_what_it_shows_twice_alone() {
    Cron cron = Cron.parse("*/30 2 * * *", ZoneId.of("Europe/Berlin"));
    Instant change = Instant.parse("2026-10-25T01:00:00Z");
    ClockEffect effect = ClockEffects.of(cron, change.minusMillis(1), change).get(0);
    assertThat(effect.concerns(Instant.parse("2026-10-25T00:00:00Z"))).isTrue();
    assertThat(effect.concerns(Instant.parse("2026-10-25T01:30:00Z"))).isTrue();
    assertThat(effect.concerns(Instant.parse("2026-10-24T00:30:00Z"))).isFalse();
    assertThat(effect.concerns(Instant.parse("2026-10-26T01:00:00Z"))).isFalse();
  }

  @Test
  void bounds_leave_out_an_occurrence_that_the_change_moved_out_of_them() {
    Instant change = Instant.parse("2026-03-29T01:00:00Z");
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    LocalDate spring = LocalDate.of(2026, 3, 29);
    Cron cron = Cron.parse("30 2 * * *", berlin);
    assertThat(told(cron.within(Optional.of(change), Optional.empty()), berlin, spring))
        .isEqualTo("MOVED 02:30 1");
    assertThat(
            told(cron.within(Optional.of(change.plusMillis(1)), Optional.empty()), berlin, spring))
        .isEqualTo("-");
  }

  @Test
  void a_range_is_open_at_its_start_and_closed_at_its_end() {
    Cron cron = Cron.parse("30 2 * * *", ZoneId.of("Europe/Berlin"));
    Instant change = Instant.parse("2026-03-29T01:00:00Z");
    assertThat(ClockEffects.of(cron, change.minusMillis(1), change))
        .extracting(ClockEffect::kind)
        .containsExactly(Kind.MOVED);
    assertThat(ClockEffects.of(cron, change, change.plusSeconds(1))).isEmpty();
  }
}
