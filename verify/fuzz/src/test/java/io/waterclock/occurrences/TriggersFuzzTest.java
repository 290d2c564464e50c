package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.InRange;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Expressions of triggers. What is no expression is an {@link InvalidTriggerException}; every other
 * one keeps the laws of {@link Trigger} from wherever it is asked, in few steps.
 */
final class TriggersFuzzTest {
  private static final List<CronDialect> DIALECTS = List.of(CronDialect.values());
  private static final List<IntervalUnit> UNITS = List.of(IntervalUnit.values());
  private static final List<ZoneId> ZONES =
      List.of(
          ZoneId.of("UTC"),
          ZoneId.of("Europe/Berlin"),
          ZoneId.of("Africa/Cairo"),
          ZoneId.of("America/St_Johns"),
          ZoneId.of("Pacific/Apia"),
          ZoneId.of("Australia/Lord_Howe"),
          ZoneId.of("-18:00"));

  @FuzzTest
  @DictionaryEntries({
    "0 9 * * 1-5",
    "L-3",
    "15W",
    "LW",
    "5#3",
    "6L",
    "*/5",
    "SUN-SAT",
    "@yearly",
    "?",
    "JAN",
    "22-2",
    "cron(0 9 ? * MON-FRI *)",
    "2026/4",
    "L-3W",
    "1970-2199"
  })
  void cron(long from, @InRange(min = 0, max = 4) int dialect, byte zone, @NotNull String text)
      throws Exception {
    CronDialect of = DIALECTS.get(dialect);
    try {
      Trigger trigger = Claims.bounded(text.length(), () -> Cron.parse(text, of, zone(zone)));
      laws(trigger, from);
      assertThat(Description.of(trigger)).isNotBlank();
      String ours = CronTranslator.translated(text, of);
      if (!CronTranslator.needsDialect(text, of)) {
        assertThat(Cron.parse(ours, zone(zone)).nextAfter(at(from)))
            .as("%s is %s", text, ours)
            .isEqualTo(trigger.nextAfter(at(from)));
      }
    } catch (InvalidTriggerException e) {
      rejected(e);
    }
  }

  /** All dialects of one text, as the hint about dialects compares them. */
  @FuzzTest
  @DictionaryEntries({"0 9 * * 1-5", "0 0 9 ? * MON-FRI", "L", "15W", "5#3", "*/5", "@daily"})
  void cron_hint(@NotNull String text) throws Exception {
    for (CronReading reading : CronReading.differing(text)) {
      assertThat(reading.words()).isNotBlank();
    }
  }

  @FuzzTest
  @DictionaryEntries({
    "FREQ=MONTHLY;BYDAY=-1FR;COUNT=12",
    ";INTERVAL=",
    ";BYSETPOS=-1",
    ";UNTIL=20261224T180000Z",
    ";BYMONTHDAY=-31",
    ";BYYEARDAY=366",
    ";BYWEEKNO=53",
    ";WKST=SU",
    ";BYHOUR=2",
    ";BYMINUTE=30",
    ";BYSECOND=59",
    "FREQ=SECONDLY",
    "FREQ=YEARLY",
    ";BYMONTH=2"
  })
  void rrule(long anchor, long from, byte zone, @NotNull String text) throws Exception {
    try {
      RRule rule = Claims.bounded(text.length(), () -> RRule.parse(text, at(anchor), zone(zone)));
      laws(rule, from);
      assertThat(Description.of(rule)).isNotBlank();
      assertThat(RRule.parse(rule.rule(), rule.anchor(), rule.zone())).isEqualTo(rule);
    } catch (InvalidTriggerException e) {
      rejected(e);
    }
  }

  @FuzzTest
  void every(long anchor, long n, @InRange(min = 0, max = 7) int unit, long from, byte zone) {
    try {
      Every every = Every.of(Instant.ofEpochMilli(anchor), n, UNITS.get(unit), zone(zone));
      laws(every, from);
    } catch (InvalidTriggerException e) {
      rejected(e);
    }
  }

  private static void rejected(InvalidTriggerException e) {
    Claims.rejected(e);
    assertThat(e.problem()).isNotBlank();
    assertThat(e.field()).isNotBlank();
  }

  /** next(t) &gt; t, next is pure between two neighbours, and last is the inverse of next. */
  private static void laws(Trigger trigger, long from) {
    Effort effort = Effort.of(20 * Effort.SEARCH);
    Trigger metered = trigger.metered(effort);
    try {
      Instant t = at(from);
      for (int i = 0; i < 3; i++) {
        Optional<Instant> next = metered.nextAfter(t);
        if (next.isEmpty()) {
          assertThat(metered.count(t, Instant.MAX, 10)).isEqualTo(Count.exactly(0));
          return;
        }
        Instant at = next.get();
        assertThat(at).isAfter(t).isEqualTo(at.truncatedTo(ChronoUnit.MILLIS));
        assertThat(at.getEpochSecond()).isBetween(Horizon.FIRST_SECOND, Horizon.LAST_SECOND);
        assertThat(metered.nextAfter(at.minusMillis(1))).contains(at);
        Duration between = Duration.between(t, at);
        assertThat(metered.nextAfter(t.plus(between.dividedBy(2)))).contains(at);
        assertThat(metered.lastAtOrBefore(at)).contains(at);
        Instant before = t;
        assertThat(metered.lastAtOrBefore(at.minusMillis(1)).filter(last -> last.isAfter(before)))
            .isEmpty();
        assertThat(metered.count(t, at, 10).value()).isEqualTo(1);
        assertThat(metered.nthAtOrBefore(at, 1)).contains(at);
        t = at;
      }
      Optional<Instant> third = trigger.nthAfter(at(from), 3);
      assertThat(third).contains(t);
    } catch (EffortSpentException tooFarBetween) {
      assertThat(effort.spent()).isGreaterThan(20 * Effort.SEARCH);
    }
  }

  private static ZoneId zone(byte which) {
    return ZONES.get(Math.floorMod(which, ZONES.size()));
  }

  /** An instant of the years 1600 to 2400 or so, to the nanosecond. */
  private static Instant at(long from) {
    return Instant.ofEpochSecond(from % 13_000_000_000L, Math.floorMod(from, 1_000_000_007L));
  }
}
