package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.avro.Weekday;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;

/** Definitions and edits, in a scale set by the tick. */
final class RandomDefinition {
  private static final long[] GRACES = {0, 1, 3, 60};
  static final List<String> CALENDARS = List.of("c1", "c2");
  private static final List<Overlap> OVERLAPS = List.of(Overlap.values());
  private static final List<CatchUp> POLICIES = List.of(CatchUp.values());
  private final SplittableRandom random;
  private final long tickMs;
  private final String zone;
  private final boolean plain;

  /**
   * @param plain true for nothing but REPLAY without bounds and without pauses, under which an
   *     outage may not show
   */
  RandomDefinition(SplittableRandom random, long tickMs, String zone, boolean plain) {
    this.random = random;
    this.tickMs = tickMs;
    this.zone = zone;
    this.plain = plain;
  }

  Schedule first(Instant now) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(trigger(now))
            .setTimezone(zone())
            .setCatchUp(policy())
            .setGraceMs(GRACES[random.nextInt(GRACES.length)] * tickMs)
            .setDescription(word())
            .build();
    for (int i = random.nextInt(4); i > 0; i--) {
      change(schedule, now);
    }
    if (random.nextInt(3) == 0) {
      overlap(schedule);
    }
    return schedule;
  }

  /** A copy with a change or two. */
  Schedule edited(Schedule schedule, Instant now) {
    Schedule copy = Schedule.newBuilder(schedule).build();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      change(copy, now);
    }
    return copy;
  }

  /** A copy that leaves out some of what is to come. */
  Schedule skipping(Schedule schedule, List<Long> occurrences) {
    List<Instant> skip =
        occurrences.stream()
            .limit(30)
            .filter(at -> random.nextInt(6) == 0)
            .map(Instant::ofEpochMilli)
            .toList();
    return Schedule.newBuilder(schedule).setSkip(skip).build();
  }

  /** A day or two around now, and perhaps a weekday: never more than four in a row. */
  Calendar calendar(Instant now) {
    LocalDate first = now.atZone(ZoneOffset.UTC).toLocalDate().plusDays(random.nextInt(4) - 1L);
    Calendar calendar = Calendar.newBuilder().setDescription(word()).build();
    if (random.nextInt(3) > 0) {
      calendar.setDates(List.of(new DateRange(first, first.plusDays(random.nextInt(2)))));
    }
    if (random.nextInt(3) == 0) {
      calendar.setWeekdays(
          List.of(first.getDayOfWeek().getValue() % 2 == 0 ? Weekday.TUE : Weekday.SUN));
    }
    return calendar;
  }

  private void change(Schedule schedule, Instant now) {
    switch (random.nextInt(16)) {
      case 0, 1 -> schedule.setTrigger(trigger(now));
      case 2 -> schedule.setCatchUp(policy());
      case 3 -> schedule.setTimezone(zone());
      case 4 -> schedule.setJitterMs(random.nextInt(3) == 0 ? 0 : random.nextLong(20 * tickMs));
      case 5 -> schedule.setStartAt(random.nextBoolean() ? null : around(now, 5, 20));
      case 6 -> schedule.setMaxOccurrences(random.nextBoolean() ? null : 1L + random.nextInt(8));
      case 7 -> schedule.setGraceMs(GRACES[random.nextInt(GRACES.length)] * tickMs);
      case 8 -> {
        Instant end = around(now, 5, 60);
        boolean none = schedule.getStartAt() != null && !end.isAfter(schedule.getStartAt());
        schedule.setEndAt(none || random.nextBoolean() ? null : end);
      }
      case 9 -> {
        if (!plain) {
          schedule.setCatchUpWindowMs(random.nextBoolean() ? null : random.nextLong(40 * tickMs));
          schedule.setMaxReplay(random.nextBoolean() ? 10_000 : 1 + random.nextInt(6));
        }
      }
      case 10, 11 -> {
        schedule.setExcept(CALENDARS.stream().filter(name -> random.nextInt(3) > 0).toList());
        boolean moves = random.nextBoolean();
        include(schedule, now);
        // dates outside of only are too many to move over
        schedule.setOnExcluded(
            moves && schedule.getOnly().isEmpty() ? OnExcluded.NEXT_WORKING_DAY : OnExcluded.SKIP);
      }
      case 12 -> overlap(schedule);
      case 13 ->
          schedule.setPauseAfterFailures(random.nextInt(3) == 0 ? null : 1 + random.nextInt(3));
      case 14 -> schedule.setOnResume(random.nextBoolean() ? OnResume.NOTHING : OnResume.FIRE_ONCE);
      default -> {
        schedule.setDescription(word());
        schedule.setRearm(schedule.getDescription().hashCode() % 2 == 0);
      }
    }
    schedule.setRearm(schedule.getRearm() && mayRearm(schedule.getTrigger()));
    if (schedule.getTrigger() instanceof OnceTrigger
        || schedule.getOnExcluded() != OnExcluded.SKIP
        || (schedule.getExcept().isEmpty() && schedule.getOnly().isEmpty())) {
      schedule.setBusinessDay(null);
    }
    if (schedule.getStartAt() != null
        && schedule.getEndAt() != null
        && !schedule.getEndAt().isAfter(schedule.getStartAt())) {
      schedule.setEndAt(null);
    }
  }

  /** By a source of its own: what else is random in a trace stays what it was. */
  private static void include(Schedule schedule, Instant now) {
    SplittableRandom own =
        new SplittableRandom(now.toEpochMilli() ^ schedule.getDescription().hashCode());
    schedule.setOnly(CALENDARS.stream().filter(name -> own.nextInt(6) == 0).toList());
    schedule.setBusinessDay(own.nextInt(4) == 0 ? businessDay(now, own) : null);
  }

  /** Often one of the days around now. */
  private static int businessDay(Instant now, SplittableRandom own) {
    LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
    int day = today.getDayOfMonth() - own.nextInt(3);
    if (day > 23) {
      day -= today.lengthOfMonth() + 1;
    }
    return day == 0 ? -1 : day;
  }

  /** Uptime shows where fires wait for each other, so not in a plain one. */
  private void overlap(Schedule schedule) {
    if (!plain) {
      schedule.setOverlap(OVERLAPS.get(random.nextInt(OVERLAPS.size())));
      schedule.setTimeoutMs(1 + random.nextLong(30 * tickMs));
    }
  }

  private Object trigger(Instant now) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> once(now);
      case 8, 9 -> rrule(now);
      case 2, 3 -> CronTrigger.newBuilder().setExpression(cron()).build();
      default -> every(now);
    };
  }

  private OnceTrigger once(Instant now) {
    OnceTrigger.Builder once = OnceTrigger.newBuilder();
    return random.nextInt(4) == 0
        ? once.setInMs(random.nextLong(20 * tickMs)).build()
        : once.setAt(around(now, 10, 20)).build();
  }

  private EveryTrigger every(Instant now) {
    EveryTrigger.Builder every = EveryTrigger.newBuilder();
    if (random.nextInt(3) > 0) {
      every.setAnchor(around(now, 100, 10));
    }
    if (tickMs == 60_000 && random.nextInt(3) == 0) {
      boolean days = random.nextBoolean();
      if (days) {
        every.setAnchor(around(now.minusSeconds(2 * 86_400), 300, 300));
      }
      return every.setN(1 + random.nextInt(2)).setUnit(days ? Unit.DAY : Unit.HOUR).build();
    }
    long interval =
        switch (random.nextInt(4)) {
          case 0 -> 1 + random.nextLong(2 * tickMs);
          case 1 -> tickMs * (1 + random.nextInt(3));
          default -> tickMs * (1 + random.nextInt(15)) + random.nextLong(tickMs);
        };
    return every.setN(Math.max(interval, tickMs / 3)).setUnit(Unit.MILLISECOND).build();
  }

  private RRuleTrigger rrule(Instant now) {
    RRuleTrigger.Builder rrule = RRuleTrigger.newBuilder();
    String count = random.nextInt(3) == 0 ? ";COUNT=" + (1 + random.nextInt(20)) : "";
    if (random.nextBoolean()) {
      rrule.setAnchor(around(now, 100, 10));
    }
    return rrule.setRule(rule() + count).build();
  }

  private String rule() {
    return List.of(
            "FREQ=MINUTELY",
            "FREQ=MINUTELY;INTERVAL=7",
            "FREQ=HOURLY",
            "FREQ=DAILY",
            "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=30",
            "FREQ=DAILY;BYHOUR=0,2,4;BYMINUTE=10,50",
            "FREQ=DAILY;INTERVAL=2;BYHOUR=2,3,23")
        .get(random.nextInt(7));
  }

  private String cron() {
    if (tickMs < 60_000 && random.nextBoolean()) {
      return List.of("*/15 * * * * *", "5,40 * * * * *", "0 */2 * * * *", "30 1-50/3 * * * *")
          .get(random.nextInt(4));
    }
    return List.of(
            "* * * * *",
            "*/5 * * * *",
            "7 * * * *",
            "10,50 0-23/2 * * *",
            "30 2 * * *",
            "15 1,2,3 * * *",
            "*/20 2 * * *",
            "0 3 * * 0,7",
            "45 0-6 * * 1-6")
        .get(random.nextInt(9));
  }

  private Instant around(Instant now, int ticksBefore, int ticksAfter) {
    long ticks = random.nextLong(ticksBefore + ticksAfter + 1) - ticksBefore;
    long off = random.nextBoolean() ? 0 : random.nextLong(tickMs);
    return now.plusMillis(ticks * tickMs + off);
  }

  private CatchUp policy() {
    return plain ? CatchUp.REPLAY : POLICIES.get(random.nextInt(POLICIES.size()));
  }

  private String zone() {
    return random.nextBoolean() ? "UTC" : zone;
  }

  private static boolean mayRearm(Object trigger) {
    return trigger instanceof OnceTrigger
        || (trigger instanceof EveryTrigger every && every.getAnchor() == null)
        || (trigger instanceof RRuleTrigger rule && rule.getAnchor() == null);
  }

  private String word() {
    return "p" + random.nextInt(1_000);
  }
}
