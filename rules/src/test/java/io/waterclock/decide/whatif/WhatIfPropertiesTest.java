package io.waterclock.decide.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.Trigger;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random edits and calendars against a model that lists both sides and takes their difference. */
class WhatIfPropertiesTest {
  private static final Instant NOW = Instant.parse("2026-03-20T12:00:00Z");
  private static final TimeFrame WINDOW = new TimeFrame(NOW, NOW.plus(Duration.ofDays(20)));
  private static final String ID = "a";
  private static final String[] ZONES = {"UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"};
  private static final String[] TRIGGERS = {
    "'cron':'0 9 * * *'",
    "'cron':'30 2 * * *'",
    "'cron':'0 */6 * * MON-FRI'",
    "'cron':'0 0 1,15,28 * *'",
    "'every':'7h'",
    "'every':'2 days'",
    "'every':'1 week','anchor':'2026-01-05T01:30:00Z'",
    "'rrule':'FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=3'",
    "'at':'2026-03-29T01:00:00Z'",
    "'at':'2026-03-10T01:00:00Z'",
    "'in':'PT30H'"
  };

  /** A firing: the nominal instant and the due one. */
  private record Firing(Instant at, Instant due) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void the_difference_is_that_of_both_lists(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 300; i++) {
      Calendar oldCalendar = calendar(random);
      Calendar newCalendar = random.nextBoolean() ? oldCalendar : calendar(random);
      Side before = Side.of(calendars(oldCalendar));
      Side after = Side.of(calendars(newCalendar));
      Schedule first = schedule(random);
      Schedule second = random.nextInt(4) == 0 ? first : schedule(random);
      Plan old = Plan.established(ID, first, NOW, before);
      Plan changed =
          random.nextInt(3) == 0
              ? Plan.accepted(ID, second, NOW, after)
              : old.edited(second, NOW, after);

      ScheduleDifference difference =
          new WhatIf(before, after, WINDOW, 10_000)
              .compare(ID, Optional.of(old), Optional.of(changed));

      Set<Firing> expectedGone = new HashSet<>(model(old, oldCalendar));
      Set<Firing> expectedAdded = new LinkedHashSet<>(model(changed, newCalendar));
      int alike = expectedGone.size();
      Set<Firing> common = new HashSet<>(expectedGone);
      common.retainAll(expectedAdded);
      expectedGone.removeAll(common);
      expectedAdded.removeAll(common);
      String where = "seed " + seed + " round " + i + ": " + first + " -> " + second;
      assertThat(side(difference, true)).as(where).isEqualTo(expectedGone);
      assertThat(side(difference, false)).as(where).isEqualTo(expectedAdded);
      assertThat(difference.comparedUntil()).as(where).isEmpty();
      if (!difference.isEmpty()) {
        assertThat(difference.firesBefore()).as(where).isEqualTo(alike);
      }
      Set<Instant> moved = new HashSet<>();
      difference.changes().stream()
          .filter(change -> change.kind() == OccurrenceChange.Kind.MOVED)
          .forEach(change -> assertThat(moved.add(change.after().orElseThrow().at())).isTrue());
    }
  }

  private static Set<Firing> side(ScheduleDifference difference, boolean before) {
    Set<Firing> firings = new HashSet<>();
    for (OccurrenceChange change : difference.changes()) {
      (before ? change.before() : change.after())
          .ifPresent(one -> assertThat(firings.add(new Firing(one.at(), one.due()))).isTrue());
    }
    return firings;
  }

  private static Schedule schedule(SplittableRandom random) {
    StringBuilder json = new StringBuilder("{" + TRIGGERS[random.nextInt(TRIGGERS.length)]);
    json.append(",'timezone':'").append(ZONES[random.nextInt(ZONES.length)]).append('\'');
    if (random.nextInt(5) == 0) {
      json.append(",'enabled':false");
    }
    if (random.nextInt(3) == 0) {
      json.append(",'jitter':'").append(1 + random.nextInt(600)).append("m'");
    }
    if (random.nextInt(4) == 0) {
      json.append(",'start_at':'2026-03-2").append(random.nextInt(10)).append("T05:00:00Z'");
    }
    if (random.nextInt(4) == 0) {
      json.append(",'end_at':'2026-04-0").append(1 + random.nextInt(9)).append("T05:00:00Z'");
    }
    if (random.nextInt(4) == 0) {
      json.append(",'max_occurrences':").append(1 + random.nextInt(12));
    }
    if (random.nextInt(4) == 0) {
      json.append(",'skip':['2026-03-24T09:00:00Z','2026-03-25T08:00:00Z']");
    }
    if (random.nextInt(3) == 0) {
      json.append(",'except':['h'],'on_excluded':'")
          .append(random.nextBoolean() ? "skip" : "next_working_day")
          .append('\'');
    }
    return WhatIfTest.schedule(json.append('}').toString());
  }

  private static Calendar calendar(SplittableRandom random) {
    List<DateRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      LocalDate first = LocalDate.parse("2026-03-20").plusDays(random.nextInt(20));
      ranges.add(new DateRange(first, first.plusDays(random.nextInt(4))));
    }
    return Calendar.newBuilder().setDates(ranges).build();
  }

  private static Calendars calendars(Calendar calendar) {
    return Calendars.NONE.with(
        Map.of(
            "h",
            List.of(
                new CalendarVersion(0, Instant.EPOCH, Optional.empty(), Optional.of(calendar)))));
  }

  /** Every occurrence, one by one. */
  private static List<Firing> model(Plan plan, Calendar calendar) {
    List<Firing> firings = new ArrayList<>();
    Schedule schedule = plan.schedule();
    if (!schedule.getEnabled()) {
      return firings;
    }
    ZoneId zone = ZoneId.of(schedule.getTimezone());
    Trigger trigger = Triggers.of("a", schedule, zone, plan.resolvedAt());
    long named = 0;
    Optional<Instant> next = trigger.nextAfter(plan.state().decidedThrough());
    while (next.isPresent() && next.get().isBefore(WINDOW.end())) {
      Instant at = next.get();
      next = next(trigger, schedule, at);
      if (schedule.getStartAt() != null && at.isBefore(schedule.getStartAt())) {
        continue;
      }
      if (schedule.getEndAt() != null && !at.isBefore(schedule.getEndAt())) {
        break;
      }
      named++;
      if (schedule.getMaxOccurrences() != null && named > schedule.getMaxOccurrences()) {
        break;
      }
      Optional<Instant> bounded =
          next.filter(
              following ->
                  plan.endsAt().isEmpty() || following.isBefore(plan.endsAt().orElseThrow()));
      due(schedule, zone, at, bounded, calendar)
          .map(due -> due.isBefore(NOW) ? NOW : due)
          .filter(due -> due.isBefore(WINDOW.end()))
          .filter(due -> !schedule.getSkip().contains(at))
          .ifPresent(due -> firings.add(new Firing(at, due)));
    }
    return firings;
  }

  private static Optional<Instant> next(Trigger trigger, Schedule schedule, Instant at) {
    Optional<Instant> next = trigger.nextAfter(at);
    while (next.isPresent()
        && schedule.getStartAt() != null
        && next.get().isBefore(schedule.getStartAt())) {
      next = trigger.nextAfter(next.get());
    }
    return next;
  }

  private static Optional<Instant> due(
      Schedule schedule, ZoneId zone, Instant at, Optional<Instant> next, Calendar calendar) {
    Instant from = at;
    ZonedDateTime local = at.atZone(zone);
    if (!schedule.getExcept().isEmpty() && excludes(calendar, local.toLocalDate())) {
      if (schedule.getOnExcluded() == OnExcluded.SKIP) {
        return Optional.empty();
      }
      LocalDate day = local.toLocalDate();
      while (excludes(calendar, day)) {
        day = day.plusDays(1);
      }
      from = day.atTime(local.toLocalTime()).atZone(zone).toInstant();
      if (next.isPresent() && !from.isBefore(next.get())) {
        return Optional.empty();
      }
    }
    return Optional.of(
        schedule.getJitterMs() == 0
            ? from
            : Jitter.of(Duration.ofMillis(schedule.getJitterMs())).due(ID, at, from, next));
  }

  private static boolean excludes(Calendar calendar, LocalDate day) {
    return calendar.getDates().stream()
        .anyMatch(range -> !day.isBefore(range.getFirst()) && !day.isAfter(range.getLast()));
  }
}
